/** What may be sent again, and when. */
@NullMarked
package dev.comporta.client.retry;

import org.jspecify.annotations.NullMarked;
