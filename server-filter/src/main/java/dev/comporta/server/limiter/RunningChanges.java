package dev.comporta.server.limiter;

import dev.comporta.server.api.ChangeNotSharedException;
import dev.comporta.server.limiter.ChangedPolicies.Origin;
import dev.comporta.server.store.Change;
import dev.comporta.server.store.SharedChanges;
import dev.comporta.server.store.SharedChanges.Outcome;
import dev.comporta.server.store.SharedChanges.Sighting;
import dev.comporta.server.store.SharedChanges.Wanted;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What running code has changed, on this node and on the others, and in force here: limits of
 * policies, and blocked callers. Thread-safe.
 *
 * <p>A change is written to the store first, and acts here when it is there.
 */
final class RunningChanges {

  private static final String LIMITS = "limits:";
  private static final String BLOCK = "block:";
  private static final String BLOCKED = "blocked";
  private static final String TAKEN_BACK = "";

  private final SharedChanges shared;
  private final Blocks blocks;
  private final ChangedPolicies policies; // guarded by this
  private final KnownChanges known = new KnownChanges(); // guarded by this
  private boolean hasSeen; // guarded by this

  RunningChanges(SharedChanges shared, ChangedPolicies policies, Blocks blocks) {
    this.shared = shared;
    this.policies = policies;
    this.blocks = blocks;
  }

  /**
   * Gives a policy these limits, which fit here.
   *
   * @throws ChangeNotSharedException if the store did not confirm it
   */
  void change(String policy, List<String> limits) {
    write(LIMITS + policy, ChangedPolicies.text(limits), Optional.empty());
  }

  /** Takes back what {@link #change} did, wherever it was called; fails as that does. */
  void revert(String policy) {
    write(LIMITS + policy, TAKEN_BACK, Optional.empty());
  }

  /**
   * Blocks a caller; fails as {@link #change} does.
   *
   * @param whose the caller, hashed
   */
  void block(String whose, Duration duration) {
    write(BLOCK + whose, BLOCKED, Optional.of(duration));
  }

  /** Takes back what {@link #block} did, wherever it was called; fails as that does. */
  void unblock(String whose) {
    write(BLOCK + whose, TAKEN_BACK, Optional.empty());
  }

  /** For how much longer that caller, hashed, is blocked here. */
  Optional<Duration> blockedFor(String whose) {
    OptionalLong leftMicros = blocks.leftMicros(whose, shared.clock().nowMicros());
    return leftMicros.isPresent()
        ? Optional.of(Duration.of(leftMicros.getAsLong(), ChronoUnit.MICROS))
        : Optional.empty();
  }

  /** The version of the store that was seen last. */
  synchronized String version() {
    return known.version();
  }

  /** Puts into force what is new in the store, and gives it back what it has lost. */
  void take(Sighting sighting) {
    Map<String, Change> lost = learn(sighting);
    if (!lost.isEmpty()) {
      // Whether it has come is seen at the next look, since the version is another one then.
      shared.putBack(lost);
    }
  }

  /** Tries again what did not fit this node, where something is different now. */
  synchronized void retry() {
    policies.retry();
  }

  private synchronized Map<String, Change> learn(Sighting sighting) {
    long nowMicros = shared.clock().nowMicros();
    KnownChanges.Difference difference = known.see(sighting, nowMicros);
    Origin origin = hasSeen ? Origin.OTHER_NODE : Origin.EARLIER;
    List<RuntimeException> thrown = new ArrayList<>();
    difference.news().forEach((name, change) -> follow(name, change, origin, thrown));
    hasSeen = true;
    blocks.forgetEnded(nowMicros);
    if (!thrown.isEmpty()) {
      throw thrown.get(0);
    }
    policies.retry();
    return difference.lost();
  }

  /* What throws, as a source of configuration may, keeps no other from being followed. */
  private void follow(String name, Change change, Origin origin, List<RuntimeException> thrown) {
    try {
      apply(name, change, origin);
    } catch (RuntimeException unfollowed) {
      known.forget(name);
      thrown.add(unfollowed);
    }
  }

  private void write(String name, String text, Optional<Duration> lasting) {
    Outcome outcome = shared.write(wanted(name, text, lasting));
    if (outcome instanceof Outcome.Written written) {
      wrote(name, written.change());
    } else if (outcome instanceof Outcome.Full) {
      throw full();
    } else if (outcome instanceof Outcome.Failed failed) {
      throw new ChangeNotSharedException(failed.reason(), failed.mayBeWritten());
    }
  }

  private synchronized Wanted wanted(String name, String text, Optional<Duration> lasting) {
    if (!text.isEmpty() && known.isFull(name, shared.most())) {
      long nowMicros = shared.clock().nowMicros();
      known.forgetEnded(nowMicros);
      blocks.forgetEnded(nowMicros);
      if (known.isFull(name, shared.most())) {
        throw full();
      }
    }
    return new Wanted(name, text, lasting, known.of(name));
  }

  private IllegalStateException full() {
    return new IllegalStateException(
        "at most "
            + shared.most()
            + " callers can be blocked and policies be changed at once; nothing has changed");
  }

  private synchronized void wrote(String name, Change change) {
    if (change.isNewerThan(known.of(name))) {
      known.wrote(name, change);
      apply(name, change, Origin.THIS_NODE);
    }
  }

  /* Names of a kind that a later version of this library writes mean nothing here. */
  private void apply(String name, Change change, Origin origin) {
    if (name.startsWith(LIMITS)) {
      policies.apply(name.substring(LIMITS.length()), change, origin);
    } else if (name.startsWith(BLOCK)) {
      blocks.apply(name.substring(BLOCK.length()), change);
    }
  }
}
