package dev.comporta.client;

/**
 * Told what limits do to the calls of a client. Called in any thread that a call is in, which holds
 * no lock, by several at the same time; it must not block. What it throws is logged and changes no
 * call.
 */
@FunctionalInterface
public interface CallListener {

  /** A limit did that to a call. */
  void on(CallEvent event);
}
