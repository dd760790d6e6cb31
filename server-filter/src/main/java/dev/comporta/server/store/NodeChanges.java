package dev.comporta.server.store;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The changes of a node that shares nothing: it is the only one to write, and knows them itself
 * until it ends. Thread-safe.
 */
public final class NodeChanges implements SharedChanges {

  /** Far more than anyone blocks by hand; so that a rule gone wrong does not fill the memory. */
  private static final int MOST = 100_000;

  private final MicrosClock clock;

  /** By that clock. */
  public NodeChanges(MicrosClock clock) {
    this.clock = clock;
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public int most() {
    return MOST;
  }

  @Override
  public MicrosClock clock() {
    return clock;
  }

  @Override
  public CompletionStage<Sighting> look(String version) {
    return CompletableFuture.completedFuture(new Sighting(version, Optional.empty()));
  }

  @Override
  public Outcome write(Wanted wanted) {
    Optional<Change> known = wanted.known();
    boolean isTakingBack = wanted.text().isEmpty();
    if (isTakingBack && known.isEmpty()) {
      return new Outcome.Unneeded();
    }
    long nowMicros = clock.nowMicros();
    long writtenMicros =
        Math.max(nowMicros, known.map(before -> before.writtenMicros() + 1).orElse(nowMicros));
    OptionalLong ends =
        isTakingBack ? known.orElseThrow().endsAtMicros() : end(nowMicros, wanted.lasting());
    return new Outcome.Written(new Change(wanted.text(), writtenMicros, ends));
  }

  private static OptionalLong end(long nowMicros, Optional<Duration> lasting) {
    return lasting.isPresent()
        ? OptionalLong.of(nowMicros + lasting.get().toNanos() / 1_000)
        : OptionalLong.empty();
  }

  @Override
  public CompletionStage<?> putBack(Map<String, Change> lost) {
    return CompletableFuture.completedFuture(lost.size());
  }
}
