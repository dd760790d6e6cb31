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

  /** No caller: a hash is longer. */
  private static final String CHANGES = "changes";

  private final String namespace;
  private final CallerHash hash;

  /**
   * Keys of one application.
   *
   * @param namespace keeps it apart from others in one store
   */
  public CallerKeys(String namespace, CallerHash hash) {
    this.namespace = namespace;
    this.hash = hash;
  }

  /** For limits that count everyone together. */
  String everyone() {
    return start(KeyedLimit.EVERYONE);
  }

  /** For limits that count that caller. */
  String of(Caller caller) {
    return start(hash(caller));
  }

  /** That caller, where no more than this stands for it. */
  String hash(Caller caller) {
    return hash.hash(caller);
  }

  /** Under which the store keeps what running code of this application has changed. */
  public String changes() {
    return start(CHANGES);
  }

  /* The braces make all limits of one caller share a slot of a Redis cluster. */
  private String start(String whose) {
    return namespace + VERSION + "{" + whose + "}";
  }
}
