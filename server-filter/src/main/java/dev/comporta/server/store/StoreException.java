package dev.comporta.server.store;

/** A store could not reach a verdict: it is away, too slow, or answers with an error. */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says what could not be done, and why. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Says what could not be done. */
  public StoreException(String message) {
    super(message);
  }
}
