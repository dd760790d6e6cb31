package dev.comporta.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.TokenBucket;
import dev.comporta.server.store.memory.MemoryLimitStore;
import dev.comporta.server.store.redis.RedisLimitStore;
import dev.comporta.server.store.redis.RedisOptions;
import dev.comporta.server.store.redis.RedisServerProcess;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Two nodes that share a Redis and decide for six callers under the load of 16 threads, until one
 * fault has come and gone.
 */
final class Chaos implements AutoCloseable {

  static final int NODES = 2;

  /** With so large a budget late is not away, and a slow machine changes nothing. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int THREADS = 16;
  private static final long LIMIT = 1_000;

  /** The permits of 400 days, so that none comes back within a test. */
  private static final long WINDOW_MICROS = 34_560_000_000_000L;

  /** Never reached, so whatever refuses it refuses falsely. */
  static final KeyedLimit WIDE = caller("wide", 10_000_000);

  /** Has reached its limit before the fault. */
  private static final KeyedLimit SPENT = caller("spent", LIMIT);

  /** Have used half their limit before the fault, and go on in its course. */
  static final List<KeyedLimit> HALFWAY =
      Stream.of("a", "b", "c", "d").map(name -> caller(name, LIMIT)).toList();

  private final AtomicLong longestAskedNanos = new AtomicLong();
  private final Fault fault;
  private final List<GuardedStore> nodes;
  private final ChaosLoad load;
  private final long seed = System.nanoTime();

  /**
   * What is done, and what it may bring about.
   *
   * @param name for the table
   * @param budget the time budget of a decision
   * @param retryEvery the pause of the breaker
   * @param losses how often Redis forgets usage, or of how many charges it tells nothing
   * @param isAlone whether nodes may decide alone, with their share of 100 percent
   */
  record Fault(String name, Duration budget, Duration retryEvery, int losses, boolean isAlone) {

    /** After which nodes may decide alone for a while; usage is kept. */
    static Fault alone(String name) {
      return new Fault(
          name, GuardOptions.DEFAULT_TIME_BUDGET, GuardOptions.DEFAULT_RETRY_EVERY, 0, true);
    }

    /** That no node may notice. */
    static Fault unnoticed(String name) {
      return new Fault(name, PATIENCE, GuardOptions.DEFAULT_RETRY_EVERY, 0, false);
    }

    Fault losing(int times) {
      return new Fault(name, budget, retryEvery, times, isAlone);
    }

    /** After which no node that is merely slow decides alone. */
    Fault patient() {
      return new Fault(name, PATIENCE, retryEvery, losses, isAlone);
    }

    Fault retrying(Duration pause) {
      return new Fault(name, budget, pause, losses, isAlone);
    }

    /** What each caller may be given beyond its limit. */
    long mostBeyond() {
      return LIMIT * (losses + (isAlone ? NODES : 0));
    }
  }

  Chaos(Fault fault, String address) {
    this.fault = fault;
    this.nodes = List.of(node(address), node(address));
    awaitSharing();
    this.load = new ChaosLoad(nodes, List.of(WIDE, SPENT));
    load.ask(0, SPENT, LIMIT);
    HALFWAY.forEach(caller -> load.ask(1, caller, LIMIT / 2));
    load.start(THREADS, seed);
  }

  /** Lets the fault happen, and checks every law; returns a line of the table. */
  String line(Runnable comingAndGoing) {
    long began = System.nanoTime();
    load.awaitMore(2_000);
    long came = System.nanoTime();
    load.askFor(Stream.concat(Stream.of(WIDE, SPENT), HALFWAY.stream()).toList());
    comingAndGoing.run();
    long went = System.nanoTime();
    awaitSharing();
    long shared = System.nanoTime();
    load.awaitMore(500);
    load.stop();
    HALFWAY.forEach(this::askUntilRefused);

    assertLaws();
    return String.format(
        "| %-34s | %8d | %6d | %14d | %12d | %14.1f | %8d of %4d | %12.2f |",
        fault.name(),
        load.requests(),
        load.errors(),
        falseRefusals(),
        longestAskedNanos.get() / 1_000_000,
        (load.p99Nanos(came, shared) - load.p99Nanos(began, came)) / 1e6,
        beyond(),
        fault.mostBeyond(),
        (shared - went) / 1e9);
  }

  static String head() {
    return String.format(
        "| %-34s | %8s | %6s | %14s | %12s | %14s | %16s | %12s |",
        "fault",
        "requests",
        "errors",
        "false refusals",
        "asked ms <=",
        "added p99 ms",
        "beyond the limit",
        "shared after s");
  }

  /** One more node, which has asked nothing yet; to be closed by whoever wants it. */
  GuardedStore another(String address) {
    return node(address);
  }

  ChaosLoad load() {
    return load;
  }

  List<GuardedStore> nodes() {
    return nodes;
  }

  /** Waits until every node has noticed. */
  void awaitAlone() {
    RedisServerProcess.await(
        "each node decides alone", () -> nodes.stream().noneMatch(GuardedStore::isShared));
  }

  /** Waits until every node asks Redis. */
  void awaitBreakers() {
    RedisServerProcess.await(
        "each node asks Redis", () -> nodes.stream().allMatch(GuardedStore::isShared));
  }

  /** Waits until what one node spends, another sees, each way. */
  void awaitSharing() {
    awaitSharing(nodes.get(0), nodes.get(1));
    awaitSharing(nodes.get(1), nodes.get(0));
  }

  @Override
  public void close() {
    load.close();
    nodes.forEach(GuardedStore::close);
  }

  private static void awaitSharing(LimitStore one, LimitStore two) {
    KeyedLimit fresh = caller("fresh", 1_000_000);
    RedisServerProcess.await(
        "the nodes share",
        () -> {
          long before = remaining(two, fresh);
          one.decide(List.of(fresh), 7);
          return remaining(two, fresh) == before - 7;
        });
  }

  private static long remaining(LimitStore store, KeyedLimit limit) {
    return store.peek(List.of(limit)).standings().get(0).remaining();
  }

  private void askUntilRefused(KeyedLimit caller) {
    for (int node = 0; node < NODES; node++) {
      for (long i = 0; i <= LIMIT; i++) {
        if (load.ask(node, caller, 1) == ChaosLoad.Outcome.REFUSED) {
          break;
        }
      }
    }
  }

  private void assertLaws() {
    String told = fault.name() + ", seed " + seed;
    assertThat(load.errors()).as("errors: " + told).isZero();
    assertThat(falseRefusals()).as("false refusals: " + told).isZero();
    assertThat(longestAskedNanos.get())
        .as("longest wait: " + told)
        .isLessThanOrEqualTo(fault.budget().toNanos());
    assertThat(beyond()).as("beyond the limit: " + told).isBetween(0L, fault.mostBeyond());
  }

  private long falseRefusals() {
    return Stream.concat(Stream.of(WIDE, SPENT), HALFWAY.stream())
        .mapToLong(load::falseRefusals)
        .sum();
  }

  /** The most that a caller was given beyond its limit; each has asked for at least its limit. */
  private long beyond() {
    return Stream.concat(Stream.of(SPENT), HALFWAY.stream())
        .mapToLong(caller -> load.admitted(caller) - LIMIT)
        .max()
        .orElseThrow();
  }

  private GuardedStore node(String address) {
    RedisLimitStore shared = new RedisLimitStore(RedisOptions.at(address).within(fault.budget()));
    shared.awaitReady(Duration.ofSeconds(1));
    return new GuardedStore(
        shared,
        new MemoryLimitStore(1_000, MicrosClock.system()),
        new GuardOptions(fault.budget(), OnStoreFailure.LOCAL, 100, fault.retryEvery()),
        Clock.systemUTC(),
        new LongestWait(longestAskedNanos));
  }

  private static KeyedLimit caller(String name, long permits) {
    return new KeyedLimit("{" + name + "}:chaos", new TokenBucket(permits, WINDOW_MICROS, permits));
  }
}
