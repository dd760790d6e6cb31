/** What is deployed to see both halves of Comporta against each other. */
@NullMarked
package dev.comporta.example.loop;

import org.jspecify.annotations.NullMarked;
