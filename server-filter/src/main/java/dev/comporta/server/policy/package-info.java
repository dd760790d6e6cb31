/**
 * Which limits apply to which resource: the grammar of limits, and policies from annotations and
 * configuration.
 */
@NullMarked
package dev.comporta.server.policy;

import org.jspecify.annotations.NullMarked;
