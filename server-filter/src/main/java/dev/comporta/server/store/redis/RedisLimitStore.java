package dev.comporta.server.store.redis;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.store.AsyncLimitStore;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.MonotonicClock;
import dev.comporta.server.store.SharedChanges;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.TripCounts;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RScript;

/**
 * Usage kept in Redis, shared by all nodes: one script call per decision, however many limits it
 * has.
 *
 * <p>Needs Redis 5 or later, and {@code org.redisson:redisson} on the class path. Each key holds
 * one short string and expires one second after its state has no effect any more; a key that lost
 * its expiry gets one again when it is next decided. The clock is the server's. Keys name the
 * algorithm of their limit. Where Redis is a cluster, all keys of a call must lie in one slot;
 * {@link RedisStores} opens a store that decides limits of several slots.
 *
 * <p>A start without Redis is not an error: it connects by itself, now and whenever it is asked.
 * Thread-safe.
 */
public final class RedisLimitStore implements AsyncLimitStore {

  /*
   * How this works, and why
   *
   * The script loads all states, asks each limit, and charges all or none: Redis runs it alone, so
   * that is atomic at any concurrency and from any number of nodes. It does not compute what the
   * caller is told. It returns the time and the states after the decision (of a log, the few entries
   * that matter), and the pure functions that serve the store in memory turn these into standings
   * and retry-after. So there is little to mirror in Lua, and the two stores cannot tell different
   * things of the same state.
   *
   * Decisions that wait at once share a call: see Flights. What changes usage otherwise, or only
   * looks at it, is rare and has calls of its own.
   *
   * A refusal that Redis has told is repeated here, see RefusalCache; whatever else changes usage
   * drops it, both when it is sent and when it has ended.
   *
   * Where a policy allows leases, a decision may ask for the same some times more, see Leases; what
   * that admits answers later decisions of the caller here.
   *
   * A call is never sent twice (no retries): a reply that was lost would charge twice. NOSCRIPT is
   * the exception; then nothing ran, and Redisson sends the text.
   */

  private static final int TIME = 0;
  private static final int FIRST_STATE = 1;
  private static final int NO_LIMITS = 0;
  private static final int NO_RUNS = 0;

  private final RedisScripts scripts;
  private final Optional<MicrosClock> givenTime;
  private final CalendarEdges calendars;
  private final RedisConnection connection;
  private final Trips trips;
  private final Duration timeBudget;
  private final Flights flights;
  private final RefusalCache refusals;
  private final Leases leases;
  private final LostLeases lost;
  private final TripCounter counter = new TripCounter();

  /**
   * Begins to connect, and returns at once.
   *
   * @throws IllegalArgumentException if the Redisson configuration is not valid
   */
  public RedisLimitStore(RedisOptions options) {
    this(options, RedisScripts.byServerTime(), Optional.empty(), Clocks.system());
  }

  private RedisLimitStore(
      RedisOptions options, RedisScripts scripts, Optional<MicrosClock> givenTime, Clocks clocks) {
    this.scripts = scripts;
    this.givenTime = givenTime;
    this.calendars = new CalendarEdges(clocks.micros());
    this.connection = new RedisConnection(options, this::decideNothing);
    this.trips = options.trips();
    this.timeBudget = options.timeBudget();
    this.flights = new Flights(this::carry, Flights.AT_A_TIME, clocks.monotonic());
    this.refusals = new RefusalCache(trips, clocks.monotonic());
    this.lost = new LostLeases(clocks.monotonic());
    this.leases = new Leases(clocks.monotonic(), this::giveBack);
  }

  /** What a node takes the time from. */
  private record Clocks(MicrosClock micros, MonotonicClock monotonic) {

    static Clocks system() {
      return of(MicrosClock.system());
    }

    static Clocks of(MicrosClock micros) {
      return new Clocks(micros, MonotonicClock.system());
    }
  }

  /** A store that takes the time from that clock when a call leaves, for tests. */
  static RedisLimitStore withGivenTime(RedisOptions options, MicrosClock clock) {
    return withGivenTime(options, clock, MonotonicClock.system());
  }

  /** The same, where that clock tells how long this node may repeat and lend. */
  static RedisLimitStore withGivenTime(
      RedisOptions options, MicrosClock clock, MonotonicClock monotonic) {
    return new RedisLimitStore(
        options, RedisScripts.byGivenTime(), Optional.of(clock), new Clocks(clock, monotonic));
  }

  /** A store on a node whose clock is not that of Redis, for tests. */
  static RedisLimitStore withNodeClock(RedisOptions options, MicrosClock clock) {
    return new RedisLimitStore(
        options, RedisScripts.byServerTime(), Optional.empty(), Clocks.of(clock));
  }

  /**
   * Waits until connected, so that the first requests after a start are shared already. Returns
   * early when Redis refuses the connection.
   *
   * @return whether it is connected; if not, nothing is wrong yet
   */
  public boolean awaitReady(Duration atMost) {
    return connection.awaitReady(atMost);
  }

  @Override
  public Optional<Verdict> decideAtOnce(List<KeyedLimit> limits, long cost, int lease) {
    Optional<Verdict> leased = lease > 1 ? leases.take(limits, cost) : Optional.empty();
    leased.ifPresent(verdict -> counter.leased());
    return leased.isPresent() ? leased : decideAtOnce(limits, cost);
  }

  @Override
  public Optional<Verdict> decideAtOnce(List<KeyedLimit> limits, long cost) {
    leases.giveBackOverdue();
    Optional<Verdict> known = refusals.verdict(limits, cost);
    known.ifPresent(verdict -> counter.repeated());
    return known;
  }

  @Override
  public TripCounts tripCounts() {
    return counter.counts();
  }

  @Override
  public void mayGiveBack(List<KeyedLimit> limits) {
    refusals.mayGiveBack(limits);
  }

  @Override
  public Optional<SharedChanges> changes(String key) {
    ChangeScripts forChanges =
        givenTime.map(ChangeScripts::byGivenTime).orElseGet(ChangeScripts::byServerTime);
    return Optional.of(new RedisChanges(connection, forChanges, key, MonotonicClock.system()));
  }

  @Override
  public CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost) {
    try {
      Question question = new Question(limits, cost);
      leave(question);
      return question.answer();
    } catch (StoreException unanswerable) {
      return CompletableFuture.failedFuture(unanswerable);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // The question has the answer.
  public CompletionStage<Verdict> decideAsync(List<KeyedLimit> limits, long cost, int lease) {
    long lifetimeNanos = lease <= 1 ? 0 : Leases.lifetimeNanos(limits);
    if (lifetimeNanos == 0 || (connection.isCluster() && HashSlot.ofAll(limits).isEmpty())) {
      return decideAsync(limits, cost);
    }
    Leases.Way way = leases.way(limits, cost, lease);
    if (way.known().isPresent()) {
      counter.leased();
      return CompletableFuture.completedFuture(way.known().get());
    }
    try {
      Question question =
          new Question(
              limits,
              cost,
              new Question.Lending(lifetimeNanos, way.order(), () -> leases.take(limits, cost)));
      way.ready().whenComplete((done, failure) -> leave(question));
      return question.answer();
    } catch (StoreException unanswerable) {
      return CompletableFuture.failedFuture(unanswerable);
    }
  }

  private void leave(Question question) {
    if (!trips.isCoalescing()) {
      flights.addAlone(question);
    } else if (connection.isCluster()) {
      flights.addOfSlot(HashSlot.ofAll(question.limits()), question);
    } else {
      flights.add(question);
    }
  }

  @Override
  public CompletionStage<Standings> peekAsync(List<KeyedLimit> limits) {
    return call(
        script ->
            eval(script, scripts.change(), new ScriptRequest(limits, calendars, "peek", 1, 0)),
        reply -> standings(limits, reply),
        () -> {});
  }

  @Override
  public CompletionStage<Standings> settleAsync(
      List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    if (permits == 0) {
      return peekAsync(limits);
    }
    if (permits < 0) {
      refusals.mayGiveBack(limits);
    }
    leases.changed(limits);
    return permits > 0
        ? changeAsync(limits, "surcharge", permits, chargedAtMicros)
        // The opposite of the least long is no long; nobody was ever charged that much.
        : changeAsync(limits, "refund", -Math.max(permits, -Long.MAX_VALUE), chargedAtMicros);
  }

  @Override
  public CompletionStage<Standings> grantAsync(List<KeyedLimit> limits, long permits) {
    leases.changed(limits);
    return changeAsync(limits, "grant", permits, 0);
  }

  @Override
  public CompletionStage<@Nullable Void> resetAsync(List<KeyedLimit> limits) {
    forget(limits);
    return call(
        script -> eval(script, scripts.reset(), new ScriptRequest(limits, calendars)),
        reply -> null,
        () -> forget(limits));
  }

  private void forget(List<KeyedLimit> limits) {
    refusals.drop(limits);
    leases.forgotten(limits);
  }

  /** Whether the limits of one call must lie in one slot. */
  boolean isCluster() {
    return connection.isCluster();
  }

  /** Gives back what is left of all leases, for tests. */
  CompletionStage<?> endLeases() {
    return leases.endAll();
  }

  /** The verdict as it would be, an admission too; charges nothing and writes nothing. */
  CompletionStage<Verdict.Decided> lookAsync(List<KeyedLimit> limits, long cost) {
    return call(
        script ->
            eval(script, scripts.change(), new ScriptRequest(limits, calendars, "peek", cost, 0)),
        reply -> {
          long nowMicros = Long.parseLong(reply.get(TIME).toString());
          List<long[]> states =
              RedisState.parseAll(reply.subList(FIRST_STATE, reply.size()), limits);
          return Verdicts.areAllAllowed(limits, states, cost, nowMicros)
              ? Verdicts.admitted(limits, states, nowMicros)
              : Verdicts.notAdmitted(limits, states, cost, nowMicros);
        },
        () -> {});
  }

  /* What other nodes are told of these permits, a refund tells them; no lease here ends by it. */
  private CompletionStage<?> giveBack(List<KeyedLimit> limits, long permits, long chargedAtMicros) {
    return changeAsync(limits, "refund", permits, chargedAtMicros).whenComplete(lost::note);
  }

  private CompletionStage<Standings> changeAsync(
      List<KeyedLimit> limits, String change, long permits, long chargedAtMicros) {
    refusals.drop(limits);
    return call(
        script ->
            eval(
                script,
                scripts.change(),
                new ScriptRequest(limits, calendars, change, permits, chargedAtMicros)),
        reply -> standings(limits, reply),
        () -> refusals.drop(limits));
  }

  /** What is left of leases is given back, if Redis takes it within the time budget. */
  @Override
  public void close() {
    flights.close();
    lost.await(leases.close(), timeBudget);
    connection.close();
  }

  /** Sends them in one call. Never fails; each of them may. */
  CompletionStage<?> carry(List<Question> aboard) {
    return connection
        .script()
        .thenCompose(script -> decide(script, aboard))
        .exceptionally(
            failure -> {
              StoreException told = RedisFailures.of(failure);
              aboard.forEach(question -> question.fail(told));
              return null;
            });
  }

  private CompletionStage<@Nullable Void> decide(RScript script, List<Question> aboard) {
    List<Question> wanted = aboard.stream().filter(question -> !question.isOver()).toList();
    if (wanted.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    counter.left(wanted.size());
    DecisionCall call = new DecisionCall(wanted, refusals);
    ScriptRequest request = call.request(calendars);
    return eval(script, scripts.decide(call.algorithms()), request).thenAccept(call::answer);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // All that happens is told by the answer.
  private <T extends @Nullable Object> CompletionStage<T> call(
      Function<RScript, CompletionStage<List<Object>>> question,
      Function<List<Object>, T> reading,
      Runnable ended) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    connection
        .script()
        .thenCompose(
            script ->
                answer.isDone()
                    ? CompletableFuture.failedFuture(new StoreException("nobody waits any more"))
                    : question.apply(script))
        .thenApply(reading)
        .whenComplete(
            (value, failure) -> {
              ended.run();
              if (failure == null) {
                answer.complete(value);
              } else {
                answer.completeExceptionally(RedisFailures.of(failure));
              }
            });
    return answer;
  }

  private void decideNothing(RScript script) {
    ScriptRequest nothing = new ScriptRequest();
    nothing.add(NO_LIMITS);
    nothing.add(NO_RUNS);
    givenTime.ifPresent(clock -> nothing.add(clock.nowMicros()));
    script.eval(
        RScript.Mode.READ_WRITE,
        scripts.decide(EnumSet.of(Algorithm.TOKEN_BUCKET)),
        RScript.ReturnType.LIST,
        List.of(),
        nothing.arguments().toArray());
  }

  /** Always at the master: a replica's answer may be old, and so may its clock. */
  private CompletionStage<List<Object>> eval(RScript script, String text, ScriptRequest request) {
    givenTime.ifPresent(clock -> request.add(clock.nowMicros()));
    return script.evalAsync(
        RScript.Mode.READ_WRITE,
        text,
        RScript.ReturnType.LIST,
        request.keys(),
        request.arguments().toArray());
  }

  private static Standings standings(List<KeyedLimit> limits, List<Object> reply) {
    long nowMicros = Long.parseLong(reply.get(TIME).toString());
    List<long[]> states = RedisState.parseAll(reply.subList(FIRST_STATE, reply.size()), limits);
    return new Standings(Verdicts.standings(limits, states, nowMicros), nowMicros);
  }
}
