package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.store.KeyedLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RScript;

/**
 * The scripts beside an {@code RRateLimiter}: what it holds of a caller, which it does not tell
 * itself.
 */
final class RateLimiterLook {

  /** How long keys outlive their effect. */
  static final Duration SLACK = Duration.ofSeconds(1);

  private static final int MICROS_PER_MILLI = 1_000;
  private static final int DECIMAL = 10;

  private final String look = RedisScripts.text("rate_limiter_look.lua");
  private final String move = RedisScripts.text("rate_limiter_move.lua");
  private final String reset = RedisScripts.text("reset.lua");

  /** What for it looks. */
  enum Mode {
    /** Writes nothing. */
    LOOK,
    /** Mends what was lost. */
    DECIDE,
    /** Counts anew what is used, after a change of the rate. */
    MEND;

    private String word() {
      return switch (this) {
        case LOOK -> "look";
        case DECIDE -> "decide";
        case MEND -> "mend";
      };
    }
  }

  /** What is to be done before the limiter can decide. */
  sealed interface Readiness {

    /** Nothing. */
    record Ready() implements Readiness {}

    /** It must be given its rate. */
    record Absent() implements Readiness {}

    /** It must be given another rate. */
    record Changed() implements Readiness {}

    /**
     * It must go on from a former one.
     *
     * @param place among the former keys, from 1 on
     */
    record Former(int place) implements Readiness {}
  }

  /**
   * What was found.
   *
   * @param states that of the one limit, as the log reads it
   * @param nowMicros when
   */
  record Seen(Readiness readiness, List<long[]> states, long nowMicros) {}

  CompletionStage<Seen> look(
      RScript script, KeyedLimit limit, Mode mode, long cost, long nowMicros) {
    RateAlgorithm log = limit.limit();
    Object[] arguments = {
      mode.word(),
      Long.toString(cost),
      Long.toString(nowMicros / MICROS_PER_MILLI),
      Long.toString(window(log).toMillis()),
      Long.toString(log.limit()),
      Long.toString(kept(log).toMillis())
    };
    return eval(script, look, keys(limit), arguments)
        .thenApply(reply -> seen(reply, log, nowMicros));
  }

  /** Lets it go on from that former one. */
  CompletionStage<?> move(RScript script, KeyedLimit limit, Readiness.Former former) {
    return eval(script, move, keys(limit), Integer.toString(former.place()));
  }

  CompletionStage<?> reset(RScript script, KeyedLimit limit) {
    return eval(script, reset, keys(limit));
  }

  static Duration window(RateAlgorithm log) {
    return Duration.ofMillis(log.windowMicros() / MICROS_PER_MILLI);
  }

  /** What an admission has an effect for, and the slack. */
  static Duration kept(RateAlgorithm log) {
    return window(log).plus(SLACK);
  }

  private static CompletionStage<List<Object>> eval(
      RScript script, String text, List<Object> keys, Object... arguments) {
    return script.evalAsync(
        RScript.Mode.READ_WRITE, text, RScript.ReturnType.LIST, keys, arguments);
  }

  private static Seen seen(List<Object> reply, RateAlgorithm log, long nowMicros) {
    long[] state = RedisState.parse(reply.get(1), log);
    // A node whose clock is ahead has written what is to come.
    log.rebase(state, nowMicros);
    String word = reply.get(0).toString();
    Readiness readiness =
        switch (word) {
          case "ready" -> new Readiness.Ready();
          case "absent" -> new Readiness.Absent();
          case "changed" -> new Readiness.Changed();
          default -> new Readiness.Former(Integer.parseInt(word, DECIMAL));
        };
    return new Seen(readiness, List.of(state), nowMicros);
  }

  private static List<Object> keys(KeyedLimit limit) {
    List<Object> keys = new ArrayList<>();
    addKeys(limit.key(), keys);
    limit.formerKeys().forEach(former -> addKeys(former, keys));
    return keys;
  }

  /** As Redisson names them. */
  private static void addKeys(String name, List<Object> keys) {
    String start = name.contains("{") ? name : "{" + name + "}";
    keys.add(name);
    keys.add(start + ":value");
    keys.add(start + ":permits");
  }
}
