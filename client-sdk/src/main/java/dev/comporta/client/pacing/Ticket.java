package dev.comporta.client.pacing;

/**
 * One request that has left.
 *
 * @param number its place in the order of sending, from 1
 * @param sentMicros when it left
 */
public record Ticket(long number, long sentMicros) {}
