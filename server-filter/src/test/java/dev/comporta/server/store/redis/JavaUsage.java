package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** What the scripts must do, in Java and without any store: states by their keys. */
final class JavaUsage {

  /** With a given time, scripts keep a state this much longer than it has an effect. */
  private static final long SLACK_MILLIS = 3_600_000;

  private final Map<String, long[]> kept = new HashMap<>();
  private final Map<String, TimeToLive> timesToLive = new HashMap<>();

  /**
   * What a key was given when it was given one last. Keys expire by the real time, of which a trace
   * knows nothing: so it may be uncertain whether a refusal has prolonged one.
   */
  record TimeToLive(long leastMillis, long mostMillis) {

    static final TimeToLive NONE = new TimeToLive(0, 0);

    /** What a busy machine may need between giving it and asking how much is left. */
    static final long PATIENCE_MILLIS = 300_000;

    TimeToLive refused(long lastsMillis) {
      if (leastMillis - PATIENCE_MILLIS >= lastsMillis) {
        return this;
      }
      long prolonged = lastsMillis + SLACK_MILLIS;
      return new TimeToLive(
          mostMillis < lastsMillis ? prolonged : leastMillis, Math.max(mostMillis, prolonged));
    }
  }

  /** One limit of a request, its state as of now, and the key that has it, if any. */
  private static final class Part {
    private final KeyedLimit keyed;
    private final List<String> formers;
    private final Optional<String> holder;
    private final boolean isRebased;
    private long[] state;

    Part(
        KeyedLimit keyed,
        List<String> formers,
        Optional<String> holder,
        long[] state,
        long nowMicros) {
      this.keyed = keyed;
      this.formers = formers;
      this.holder = holder;
      this.state = state;
      this.isRebased = keyed.limit().rebase(state, nowMicros);
    }
  }

  Optional<long[]> state(String key) {
    return Optional.ofNullable(kept.get(key));
  }

  /** That which the state was given when it was written last. */
  TimeToLive timeToLive(String key) {
    return timesToLive.getOrDefault(key, TimeToLive.NONE);
  }

  Verdict.Decided decide(List<KeyedLimit> limits, long cost, long nowMicros) {
    List<Part> parts = load(limits, nowMicros);
    if (!Verdicts.areAllAllowed(limits, states(parts), cost, nowMicros)) {
      for (Part part : parts) {
        if (part.isRebased) {
          keep(part.holder.orElseThrow(), part, nowMicros);
        } else if (part.holder.isPresent()) {
          timesToLive.put(
              part.holder.get(),
              timeToLive(part.holder.get()).refused(lastsMillis(part, nowMicros)));
        }
      }
      return Verdicts.notAdmitted(limits, states(parts), cost, nowMicros);
    }
    for (Part part : parts) {
      part.state = part.keyed.limit().charge(part.state, cost, nowMicros);
      keepAsOwn(part, nowMicros);
    }
    return Verdicts.admitted(limits, states(parts), nowMicros);
  }

  Standings surcharge(List<KeyedLimit> limits, long permits, long nowMicros) {
    List<Part> parts = load(limits, nowMicros);
    for (Part part : parts) {
      part.state = part.keyed.limit().surcharge(part.state, permits, nowMicros);
      keepAsOwn(part, nowMicros);
    }
    return standings(limits, parts, nowMicros);
  }

  Standings refund(List<KeyedLimit> limits, long permits, long chargedAtMicros, long nowMicros) {
    return giveBack(
        limits,
        (limit, state) -> limit.refund(state, permits, chargedAtMicros, nowMicros),
        nowMicros);
  }

  Standings grant(List<KeyedLimit> limits, long permits, long nowMicros) {
    return giveBack(limits, (limit, state) -> limit.grant(state, permits, nowMicros), nowMicros);
  }

  Standings peek(List<KeyedLimit> limits, long nowMicros) {
    return standings(limits, load(limits, nowMicros), nowMicros);
  }

  void reset(List<KeyedLimit> limits) {
    for (KeyedLimit limit : limits) {
      kept.remove(limit.key());
      limit.formerKeys().forEach(kept::remove);
    }
  }

  private Standings giveBack(
      List<KeyedLimit> limits, BiFunction<RateAlgorithm, long[], long[]> change, long nowMicros) {
    List<Part> parts = load(limits, nowMicros);
    for (Part part : parts) {
      if (part.holder.isPresent()) {
        part.state = change.apply(part.keyed.limit(), part.state);
        keep(part.holder.get(), part, nowMicros);
      }
    }
    return standings(limits, parts, nowMicros);
  }

  private List<Part> load(List<KeyedLimit> limits, long nowMicros) {
    Set<String> taken = new HashSet<>();
    limits.forEach(limit -> taken.add(limit.key()));
    List<Part> parts = new ArrayList<>();
    for (KeyedLimit limit : limits) {
      List<String> formers = limit.formerKeys().stream().filter(taken::add).toList();
      Optional<String> holder =
          Stream.concat(Stream.of(limit.key()), formers.stream())
              .filter(kept::containsKey)
              .findFirst();
      long[] state =
          holder.flatMap(this::state).map(long[]::clone).orElseGet(limit.limit()::newState);
      parts.add(new Part(limit, formers, holder, state, nowMicros));
    }
    return parts;
  }

  private void keepAsOwn(Part part, long nowMicros) {
    if (part.holder.isPresent() && !part.holder.get().equals(part.keyed.key())) {
      part.formers.forEach(kept::remove);
    }
    keep(part.keyed.key(), part, nowMicros);
  }

  private void keep(String key, Part part, long nowMicros) {
    long millis = lastsMillis(part, nowMicros) + SLACK_MILLIS;
    kept.put(key, part.state);
    timesToLive.put(key, new TimeToLive(millis, millis));
  }

  private static long lastsMillis(Part part, long nowMicros) {
    long micros = Math.max(0, part.keyed.limit().effectEndsAtMicros(part.state) - nowMicros);
    return (micros + 999) / 1_000;
  }

  private static List<long[]> states(List<Part> parts) {
    return parts.stream().map(part -> part.state).toList();
  }

  private static Standings standings(List<KeyedLimit> limits, List<Part> parts, long nowMicros) {
    return new Standings(Verdicts.standings(limits, states(parts), nowMicros), nowMicros);
  }
}
