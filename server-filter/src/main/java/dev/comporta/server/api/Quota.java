package dev.comporta.server.api;

import java.time.Duration;
import java.time.Instant;

/**
 * Where a caller stands on one limit at one instant.
 *
 * @param policy the policy that the limit belongs to
 * @param name the limit as the wire names it, for example {@code search-1m}
 * @param limit the most permits that the caller can have; at least 1
 * @param remaining permits that the caller could spend now, 0 to {@code limit}
 * @param window the span in which {@code limit} permits come back
 * @param resetAt the instant at which the quota is whole again if nothing more is spent
 */
public record Quota(
    String policy, String name, long limit, long remaining, Duration window, Instant resetAt) {}
