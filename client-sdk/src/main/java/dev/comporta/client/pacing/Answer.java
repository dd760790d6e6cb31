package dev.comporta.client.pacing;

import dev.comporta.client.header.RateLimitSnapshot;

/**
 * What a {@link Pacer} learns from a response.
 *
 * @param snapshot what its header tells
 * @param isRefused whether the request was turned away for its rate
 */
public record Answer(RateLimitSnapshot snapshot, boolean isRefused) {}
