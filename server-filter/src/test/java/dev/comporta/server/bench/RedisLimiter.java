package dev.comporta.server.bench;

/** One way to decide with a Redis: ours, or a peer. */
interface RedisLimiter extends AutoCloseable {

  /** Whether that caller may do one thing more. Thread-safe. */
  boolean isAdmitted(String key);

  /** Makes what it needs before it can decide for these callers. */
  default void prepare(String[] keys) {}

  @Override
  void close();
}
