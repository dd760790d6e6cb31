package dev.comporta.client.pacing;

/**
 * One request that has left.
 *
 * @param number its place in the order of sending, from 1
 * @param sentMicros when it left
 * @param ahead requests that had left before and were not answered then, which it may overtake
 */
public record Ticket(long number, long sentMicros, int ahead) {}
