package dev.comporta.client.retry;

/**
 * One sending of a request, with the status it was answered.
 *
 * @param method the HTTP method, in capitals
 * @param isRepeatable whether the entity can be sent again (no entity can)
 * @param number 1 for the first sending
 * @param status the status of the response
 */
public record Attempt(String method, boolean isRepeatable, int number, int status) {}
