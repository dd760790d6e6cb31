package dev.comporta.client;

import jakarta.ws.rs.ProcessingException;

/** Ends a sending that would have to wait; no caller ever sees it. */
final class HeldBackException extends ProcessingException {

  private static final long serialVersionUID = 1L;

  HeldBackException() {
    super("held back by a rate limit; it is sent when the limit lets it");
  }

  /** Nobody looks at where it came from, and there is one for each wait. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
