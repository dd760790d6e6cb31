package dev.comporta.server.store.memory;

import dev.comporta.server.algorithm.Decision;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.KeyedLimit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one request, held together while it is decided. For one thread; {@link #unlock} ends
 * each attempt.
 */
final class Held {

  /*
   * How this works, and why
   *
   * Whoever needs several cells takes them in the order of their keys: by hash, since that is
   * known, then by text. So two requests never wait for each other in a circle, whatever the order
   * of their limits. A cell that was evicted between look-up and lock is looked up anew; its place
   * in the order stays the same.
   *
   * A key without a cell may get one from another thread while the next cell is waited for; then
   * the two would be seen at two instants. So when all are held, the missing are looked for once
   * more: what is missing then was missing when the last lock was taken, the instant of it all.
   *
   * A key without a cell gets none before it is charged: a refusal makes nothing, so that a flood
   * of refused newcomers evicts nobody. When the charge is certain, cells are made, each held from the
   * start, and out of order: that waits for nobody. If another thread has made the same one in
   * between, what was decided no longer holds, and all is done anew.
   */

  private final Cells cells;
  private final List<Part> parts;
  private final List<Target> targets;

  /** One limit of the request, and where its usage is kept. */
  private static final class Part {

    private final KeyedLimit keyed;
    private final Target own;
    private List<Target> formers = List.of(); // the newest first

    /** The cell that the state was read from; null when the caller has none. */
    private @Nullable Cell holder;

    private long[] state = {};

    Part(KeyedLimit keyed) {
      this.keyed = keyed;
      this.own = new Target(keyed.key());
    }

    RateAlgorithm limit() {
      return keyed.limit();
    }

    /**
     * The cell whose state counts: that of the key, or else of the newest former key. Beside former
     * keys, a state without effect is as good as none: in Redis it has expired.
     */
    @Nullable Cell counting(long nowMicros) {
      Cell present = own.cell != null && own.cell.state() != null ? own.cell : null;
      if (present != null && (formers.isEmpty() || !present.isWithoutEffect(nowMicros))) {
        return present;
      }
      for (Target former : formers) {
        if (former.cell != null && !former.cell.isWithoutEffect(nowMicros)) {
          return former.cell;
        }
      }
      return present;
    }
  }

  /** A key, and its cell while that is held. */
  private static final class Target implements Comparable<Target> {

    private final String key;
    private @Nullable Cell cell;

    Target(String key) {
      this.key = key;
    }

    void unlock() {
      if (cell != null) {
        cell.unlock();
        cell = null;
      }
    }

    void clear() {
      if (cell != null) {
        cell.clear();
      }
    }

    @Override
    public int compareTo(Target other) {
      int byHash = Integer.compare(key.hashCode(), other.key.hashCode());
      return byHash == 0 ? key.compareTo(other.key) : byHash;
    }
  }

  /**
   * Nothing held yet.
   *
   * @throws IllegalArgumentException if two limits have the same key
   */
  Held(Cells cells, List<KeyedLimit> limits) {
    this.cells = cells;
    this.parts = new ArrayList<>(limits.size());
    this.targets = new ArrayList<>(limits.size());
    for (KeyedLimit limit : limits) {
      Part part = new Part(limit);
      if (isTarget(limit.key())) {
        throw new IllegalArgumentException("the keys of one request must differ, two do not");
      }
      parts.add(part);
      targets.add(part.own);
    }
    for (Part part : parts) {
      if (!part.keyed.formerKeys().isEmpty()) {
        part.formers = formers(part.keyed);
      }
    }
    if (targets.size() > 1) {
      Collections.sort(targets);
    }
  }

  private List<Target> formers(KeyedLimit keyed) {
    List<Target> formers = new ArrayList<>(keyed.formerKeys().size());
    for (String key : keyed.formerKeys()) {
      if (!isTarget(key)) {
        Target former = new Target(key);
        formers.add(former);
        targets.add(former);
      }
    }
    return formers;
  }

  private boolean isTarget(String key) {
    for (Target target : targets) {
      if (target.key.equals(key)) {
        return true;
      }
    }
    return false;
  }

  /** Takes every cell there is, in order. */
  void lock() {
    do {
      unlock();
      lockPresent();
    } while (hasOneAppeared());
  }

  private void lockPresent() {
    for (Target target : targets) {
      target.cell = cells.findAndLock(target.key);
    }
  }

  private boolean hasOneAppeared() {
    for (Target target : targets) {
      if (target.cell == null && cells.find(target.key) != null) {
        return true;
      }
    }
    return false;
  }

  /** Gives back every cell that is held. */
  void unlock() {
    for (Target target : targets) {
      target.unlock();
    }
    for (Part part : parts) {
      part.holder = null;
    }
  }

  /** The states as of now, in the order of the request; of usage under a former key, a copy. */
  List<long[]> load(long nowMicros) {
    List<long[]> states = new ArrayList<>(parts.size());
    for (Part part : parts) {
      part.holder = part.counting(nowMicros);
      long[] kept = part.holder == null ? null : part.holder.state();
      if (kept == null) {
        part.state = part.limit().newState();
      } else {
        part.state = part.holder == part.own.cell ? kept : kept.clone();
      }
      part.limit().rebase(part.state, nowMicros);
      states.add(part.state);
    }
    return states;
  }

  /** The same, but copies all: what is kept stays as it is. */
  List<long[]> copy(long nowMicros) {
    List<long[]> states = new ArrayList<>(parts.size());
    for (Part part : parts) {
      Cell holder = part.counting(nowMicros);
      long[] kept = holder == null ? null : holder.state();
      long[] state = kept == null ? part.limit().newState() : kept.clone();
      part.limit().rebase(state, nowMicros);
      states.add(state);
    }
    return states;
  }

  /**
   * Makes a cell for each key that has none. Where there is no room at all, that usage will not be
   * kept, as if it were evicted at once.
   *
   * @return false if another thread was faster: then unlock, and begin anew
   */
  boolean makeRoom(long nowMicros) {
    for (Part part : parts) {
      if (part.own.cell != null) {
        continue;
      }
      Cells.Room room = cells.make(part.keyed.key(), nowMicros);
      if (room instanceof Cells.Room.Busy) {
        return false;
      }
      if (room instanceof Cells.Room.Given given) {
        part.own.cell = given.cell();
        if (given.cell().state() != null) {
          return false;
        }
      }
    }
    return true;
  }

  /** Charges every limit; to be called when all allow it and there is room. */
  List<long[]> charge(long cost, long nowMicros) {
    List<long[]> states = new ArrayList<>(parts.size());
    for (Part part : parts) {
      part.state = part.limit().charge(part.state, cost, nowMicros);
      keepInOwn(part, nowMicros);
      states.add(part.state);
    }
    return states;
  }

  /** Keeps what rebasing did, and remembers which limits refuse that cost, and how long. */
  void refuse(long cost, long nowMicros) {
    for (Part part : parts) {
      if (part.holder != null) {
        part.holder.keep(part.state, part.limit(), nowMicros);
        if (part.limit().decide(part.state, cost, nowMicros) instanceof Decision.Denied denied) {
          part.holder.refusedUntil(nowMicros + denied.retryAfterMicros());
        }
      }
    }
  }

  /** Takes permits whether they are there or not; to be called when there is room. */
  List<long[]> surcharge(long permits, long nowMicros) {
    List<long[]> states = new ArrayList<>(parts.size());
    for (Part part : parts) {
      part.state = part.limit().surcharge(part.state, permits, nowMicros);
      keepInOwn(part, nowMicros);
      states.add(part.state);
    }
    return states;
  }

  /** Gives permits back that were taken then, where usage is kept. */
  List<long[]> refund(long permits, long chargedAtMicros, long nowMicros) {
    return giveBack(
        (limit, state) -> limit.refund(state, permits, chargedAtMicros, nowMicros), nowMicros);
  }

  /** Gives permits back whenever they were taken, where usage is kept. */
  List<long[]> grant(long permits, long nowMicros) {
    return giveBack((limit, state) -> limit.grant(state, permits, nowMicros), nowMicros);
  }

  private List<long[]> giveBack(BiFunction<RateAlgorithm, long[], long[]> change, long nowMicros) {
    List<long[]> states = new ArrayList<>(parts.size());
    for (Part part : parts) {
      if (part.holder != null) {
        part.state = change.apply(part.limit(), part.state);
        part.holder.keep(part.state, part.limit(), nowMicros);
        part.holder.refusedUntil(nowMicros);
      }
      states.add(part.state);
    }
    return states;
  }

  /** Forgets all usage. */
  void clear() {
    targets.forEach(Target::clear);
  }

  /* What older former keys hold has counted for nothing, and never will. */
  private static void keepInOwn(Part part, long nowMicros) {
    Cell own = part.own.cell;
    if (own == null) {
      if (part.holder != null) {
        part.holder.keep(part.state, part.limit(), nowMicros);
      }
      return;
    }
    own.keep(part.state, part.limit(), nowMicros);
    if (part.holder != null && part.holder != own) {
      part.formers.forEach(Target::clear);
    }
  }
}
