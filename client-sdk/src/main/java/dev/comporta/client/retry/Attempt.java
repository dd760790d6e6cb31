package dev.comporta.client.retry;

/**
 * One sending of a request, with the status it was answered.
 *
 * @param call the request
 * @param number 1 for the first sending
 * @param status the status of the response
 */
public record Attempt(Call call, int number, int status) {

  /** One of a request without an idempotency key. */
  public Attempt(String method, boolean isRepeatable, int number, int status) {
    this(new Call(method, isRepeatable, false), number, status);
  }

  /**
   * A request that may be sent several times.
   *
   * @param method the HTTP method, in capitals
   * @param isRepeatable whether the entity can be sent again (no entity can)
   * @param hasIdempotencyKey whether it carries a key by which the server knows it again, so that
   *     sending it twice has the effect of once
   */
  public record Call(String method, boolean isRepeatable, boolean hasIdempotencyKey) {}
}
