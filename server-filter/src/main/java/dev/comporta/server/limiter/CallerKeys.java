package dev.comporta.server.limiter;

import dev.comporta.server.api.Caller;
import dev.comporta.server.caller.CallerHash;
import dev.comporta.server.store.KeyedLimit;

/**
 * What the keys of one caller begin with: the application, a version, and the caller, hashed.
 * Thread-safe.
 */
public final class CallerKeys {

  /** Changes when a state under a key changes its meaning. */
  private static final String VERSION = ":2:";

  private static final String AFTER = "}";

  /** No caller: a hash is longer. */
  private static final String CHANGES = "changes";

  private final String before;
  private final String everyone;
  private final CallerHash hash;

  /**
   * Keys of one application.
   *
   * @param namespace keeps it apart from others in one store
   */
  public CallerKeys(String namespace, CallerHash hash) {
    // The braces make all limits of one caller share a slot of a Redis cluster.
    this.before = namespace + VERSION + "{";
    this.everyone = before + KeyedLimit.EVERYONE + AFTER;
    this.hash = hash;
  }

  /** For limits that count everyone together. */
  String everyone() {
    return everyone;
  }

  /** For limits that count that caller. */
  String of(Caller caller) {
    return before + hash(caller) + AFTER;
  }

  /** That caller, where no more than this stands for it. */
  String hash(Caller caller) {
    return hash.hash(caller);
  }

  /** Under which the store keeps what running code of this application has changed. */
  public String changes() {
    return before + CHANGES + AFTER;
  }
}
