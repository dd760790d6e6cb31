package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.Decision;
import dev.comporta.server.algorithm.FixedWindow;
import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.SlidingWindowCounter;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several nodes with leases on one Redis, against one that counts permit by permit. What they say
 * to each other takes its time; their clocks are ten minutes apart.
 */
class LeasesLawsTest {

  private static final int NODES = 3;
  private static final int CALLERS = 2;
  private static final int LEASE = 8;
  private static final int STEPS = 2_000;
  private static final int LIMIT = 40;
  private static final long TEN_SECONDS = 10_000_000L;
  private static final long LIFETIME = 500_000L;
  private static final long FIVE_MINUTES_NANOS = 300_000_000_000L;

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, long[]> states = new HashMap<>();
  private final Map<Kind, RateAlgorithm> algorithms = new EnumMap<>(Kind.class);
  private final RateAlgorithm wide = new TokenBucket(9_000, TEN_SECONDS, 9_000);
  private final List<Use> uses = new ArrayList<>();
  private Random random = new Random();
  private long nowMicros = 1_700_000_003_000_000L;
  private long number;
  private String trace = "";

  private record Event(long atMicros, long number, Runnable happening)
      implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atMicros, other.atMicros);
      return byTime == 0 ? Long.compare(number, other.number) : byTime;
    }
  }

  /** Permits that a node has admitted. */
  private record Use(String caller, long permits, long debitedMicros, long usedMicros) {}

  private enum Kind {
    BUCKET,
    STRICT,
    FIXED;

    RateAlgorithm limit() {
      return switch (this) {
        case BUCKET -> new TokenBucket(LIMIT, TEN_SECONDS, LIMIT);
        case STRICT -> new SlidingWindowCounter(LIMIT, TEN_SECONDS, 4, Estimate.STRICT);
        case FIXED -> new FixedWindow(LIMIT, LimitSpec.parse(LIMIT + "/10s").limitWindow());
      };
    }
  }

  record Case(long seed, Kind kind) {}

  static List<Case> cases() {
    return IntStream.range(0, 60)
        .mapToObj(seed -> new Case(seed, Kind.values()[seed % Kind.values().length]))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void leasesKeepTheirPromises(Case some) {
    begin(some);

    for (int step = 0; step < STEPS; step++) {
      passMicros(random.nextInt(20) == 0 ? random.nextLong(2_000_000) : random.nextLong(20_000));
      Node node = nodes.get(random.nextInt(NODES));
      long cost = random.nextInt(5) > 0 ? 1 : 1 + random.nextInt(LEASE + 2);
      node.ask(limits(some.kind(), random.nextInt(CALLERS)), cost);
      assertThat(nodes)
          .as(trace)
          .allSatisfy(
              each ->
                  assertThat(each.heldByCaller.values())
                      .allSatisfy(held -> assertThat(held).isBetween(0L, LEASE - 1L)));
    }

    assertThat(uses.stream().filter(use -> use.usedMicros() > use.debitedMicros()))
        .as(trace)
        .hasSizeGreaterThan(100);
    for (int caller = 0; caller < CALLERS; caller++) {
      assertBound(some.kind(), "{" + caller + "}");
    }
    assertAllIsBackInTheEnd(some.kind());
  }

  /* Debited permits keep to the limit; each is used within a lifetime; so few wait to be used. */
  private void assertBound(Kind kind, String caller) {
    List<Use> own = uses.stream().filter(use -> use.caller().equals(caller)).toList();
    assertThat(own)
        .as(trace)
        .allSatisfy(
            use -> assertThat(use.usedMicros() - use.debitedMicros()).isBetween(0L, LIFETIME - 1));
    long waiting = NODES * (LEASE - 1L);
    for (Use first : own) {
      long from = first.usedMicros();
      long used = permits(own, from, from + TEN_SECONDS);
      switch (kind) {
        case STRICT -> assertThat(used).as(trace).isLessThanOrEqualTo(LIMIT + waiting);
        case BUCKET -> assertThat(used).as(trace).isLessThanOrEqualTo(2 * LIMIT + waiting);
        case FIXED -> {
          long start = from - from % TEN_SECONDS;
          assertThat(permits(own, start, start + TEN_SECONDS))
              .as(trace)
              .isLessThanOrEqualTo(LIMIT + waiting);
        }
      }
    }
  }

  private static long permits(List<Use> some, long from, long to) {
    return some.stream()
        .filter(use -> from <= use.usedMicros() && use.usedMicros() < to)
        .mapToLong(Use::permits)
        .sum();
  }

  private void assertAllIsBackInTheEnd(Kind kind) {
    passMicros(LIFETIME);
    nodes.forEach(node -> node.leases.giveBackOverdue());
    passMicros(LIFETIME);

    for (Node node : nodes) {
      assertThat(node.heldByCaller.values()).as(trace).allMatch(held -> held == 0);
      assertThat(node.debited).as(trace).isEqualTo(node.used + node.returned);
    }
    if (kind == Kind.FIXED) {
      long start = nowMicros - nowMicros % TEN_SECONDS;
      for (int caller = 0; caller < CALLERS; caller++) {
        List<KeyedLimit> limits = limits(kind, caller);
        String of = "{" + caller + "}";
        long used =
            uses.stream()
                .filter(use -> use.caller().equals(of) && use.debitedMicros() >= start)
                .mapToLong(Use::permits)
                .sum();
        RateAlgorithm limit = limits.get(0).limit();
        Standing now = limit.standing(state(limits.get(0)), nowMicros);
        assertThat(now.remaining()).as(trace).isEqualTo(LIMIT - used);
      }
    }
  }

  private void begin(Case some) {
    random = new Random(some.seed());
    trace = some.toString();
    for (int i = 0; i < NODES; i++) {
      nodes.add(new Node((i - 1) * FIVE_MINUTES_NANOS));
    }
  }

  /* An algorithm is made once for each limit, whoever is counted. */
  private List<KeyedLimit> limits(Kind kind, int caller) {
    RateAlgorithm limit = algorithms.computeIfAbsent(kind, Kind::limit);
    return List.of(
        new KeyedLimit("{" + caller + "}:limit", limit),
        new KeyedLimit("{" + caller + "}:wide", wide));
  }

  private void later(long micros, Runnable happening) {
    events.add(new Event(nowMicros + random.nextLong(micros), number++, happening));
  }

  private void passMicros(long micros) {
    long until = nowMicros + micros;
    while (!events.isEmpty() && events.peek().atMicros() <= until) {
      Event next = events.remove();
      nowMicros = Math.max(nowMicros, next.atMicros());
      next.happening().run();
    }
    nowMicros = until;
  }

  private long[] state(KeyedLimit limit) {
    return states.computeIfAbsent(limit.key(), fresh -> limit.limit().newState());
  }

  /** Permit by permit, whatever the script does. */
  private boolean isAdmittedByRedis(List<KeyedLimit> limits, long cost) {
    boolean isAllowed =
        limits.stream()
            .allMatch(
                limit -> limit.limit().decide(state(limit), cost, nowMicros) == Decision.ALLOWED);
    for (KeyedLimit limit : limits) {
      long[] state = state(limit);
      for (int i = 0; isAllowed && i < cost; i++) {
        state = limit.limit().charge(state, 1, nowMicros);
      }
      states.put(limit.key(), state);
    }
    return isAllowed;
  }

  private final class Node {

    private final long offsetNanos;
    private final Leases leases;
    private final Map<String, Long> heldByCaller = new HashMap<>();
    private long debited;
    private long used;
    private long returned;

    Node(long offsetNanos) {
      this.offsetNanos = offsetNanos;
      this.leases = new Leases(this::nowNanos, this::giveBack);
    }

    private long nowNanos() {
      return nowMicros * 1_000 + offsetNanos;
    }

    void ask(List<KeyedLimit> limits, long cost) {
      leases.giveBackOverdue();
      Optional<Verdict> known = leases.take(limits, cost);
      if (known.isPresent()) {
        use(limits, cost, (Verdict.Admitted) known.get());
        return;
      }
      Leases.Way way = leases.way(limits, cost, LEASE);
      assertThat(way.known()).isEmpty();
      way.ready().whenComplete((done, failure) -> send(limits, cost, way.order()));
    }

    private void send(List<KeyedLimit> limits, long cost, Optional<Leases.Order> order) {
      long sentNanos = nowNanos();
      later(30_000, () -> decide(limits, cost, order, sentNanos));
    }

    private void decide(
        List<KeyedLimit> limits, long cost, Optional<Leases.Order> order, long sentNanos) {
      boolean isAdmitted = isAdmittedByRedis(limits, cost);
      if (isAdmitted) {
        uses.add(new Use(caller(limits), cost, nowMicros, nowMicros));
      }
      List<long[]> before = limits.stream().map(limit -> state(limit).clone()).toList();
      int times = 0;
      while (isAdmitted
          && order.isPresent()
          && times < order.get().times()
          && isAdmittedByRedis(limits, cost)) {
        times++;
      }
      long permits = times * cost;
      long atMicros = nowMicros;
      order.ifPresent(
          asked ->
              later(
                  random.nextInt(10) == 0 ? 2 * LIFETIME : 30_000,
                  () -> {
                    debited += permits;
                    heldByCaller.merge(caller(limits), permits, Long::sum);
                    asked.arrived(new Lease.Debit(before, permits, atMicros, sentNanos));
                  }));
    }

    private void use(List<KeyedLimit> limits, long cost, Verdict.Admitted verdict) {
      assertThat(verdict.standings())
          .as(trace)
          .allSatisfy(
              standing -> {
                assertThat(standing.remaining()).isBetween(0L, standing.limit());
                assertThat(standing.nextAfterMicros() == 0).isEqualTo(standing.remaining() > 0);
              });
      used += cost;
      heldByCaller.merge(caller(limits), -cost, Long::sum);
      uses.add(new Use(caller(limits), cost, verdict.nowMicros(), nowMicros));
    }

    private CompletionStage<?> giveBack(List<KeyedLimit> limits, long permits, long atMicros) {
      returned += permits;
      heldByCaller.merge(caller(limits), -permits, Long::sum);
      CompletableFuture<Object> back = new CompletableFuture<>();
      later(
          30_000,
          () -> {
            for (KeyedLimit limit : limits) {
              states.put(
                  limit.key(), limit.limit().refund(state(limit), permits, atMicros, nowMicros));
            }
            back.complete("back");
          });
      return back;
    }

    private static String caller(List<KeyedLimit> limits) {
      String key = limits.get(0).key();
      return key.substring(0, key.indexOf('}') + 1);
    }
  }
}
