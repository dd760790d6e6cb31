package dev.comporta.server.algorithm;

/**
 * Where one caller stands on one limit at one instant.
 *
 * @param limit the most permits there can be: the burst of a bucket, the permits of a window
 * @param remaining permits that would be admitted now, 0 to {@code limit}
 * @param resetAfterMicros until the quota is whole again if nothing more is spent; 0 if it is
 * @param nextAfterMicros until a request of cost 1 would be admitted; 0 if it would be now
 */
public record Standing(long limit, long remaining, long resetAfterMicros, long nextAfterMicros) {}
