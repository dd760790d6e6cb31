/** A book catalogue on WildFly whose resources are limited by annotations alone. */
@NullMarked
package dev.comporta.example;

import org.jspecify.annotations.NullMarked;
