package dev.comporta.server.store;

/**
 * A store could not reach a verdict: it is away, too slow, or answers with an error.
 *
 * <p>Its message names no key and no caller.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean isPermanent;

  /** Says what could not be done, and why. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
    this.isPermanent = false;
  }

  /** Says what could not be done. */
  public StoreException(String message) {
    this(message, false);
  }

  private StoreException(String message, boolean isPermanent) {
    super(message);
    this.isPermanent = isPermanent;
  }

  /** A store that is there, but can never answer this question until somebody mends something. */
  public static StoreException permanent(String message) {
    return new StoreException(message, true);
  }

  /** Whether asking again is useless until somebody mends something. */
  public boolean isPermanent() {
    return isPermanent;
  }
}
