package dev.comporta.server.store;

import dev.comporta.server.store.redis.RedisServerProcess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that ask several nodes for several callers, and keep what they were told and when. The
 * thread of the test may ask beside them.
 */
final class ChaosLoad implements AutoCloseable {

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private final List<GuardedStore> nodes;
  private final Queue<Told> told = new ConcurrentLinkedQueue<>();
  private final LongAdder answers = new LongAdder();
  private final List<Thread> threads = new ArrayList<>();
  private volatile List<KeyedLimit> callers;
  private volatile boolean isStopped;

  /** What became of a request. */
  enum Outcome {
    ADMITTED,
    REFUSED,
    ERROR
  }

  /** One request: of whom, how much it cost, when it began and ended, and how. */
  record Told(KeyedLimit caller, long cost, long startNanos, long endNanos, Outcome outcome) {

    long nanos() {
      return endNanos - startNanos;
    }
  }

  ChaosLoad(List<GuardedStore> nodes, List<KeyedLimit> callers) {
    this.nodes = nodes;
    this.callers = callers;
  }

  /** Lets so many threads ask, each one node. */
  void start(int count, long seed) {
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.add(
          new Thread(
              () -> ask(number % nodes.size(), new SplittableRandom(seed + number)),
              "load-" + number));
    }
    threads.forEach(Thread::start);
  }

  /** From now on these are asked for. */
  void askFor(List<KeyedLimit> others) {
    callers = others;
  }

  /** Asks that node once, in the thread of the caller. */
  Outcome ask(int node, KeyedLimit caller, long cost) {
    long start = System.nanoTime();
    Outcome outcome = outcome(node, caller, cost);
    told.add(new Told(caller, cost, start, System.nanoTime(), outcome));
    answers.increment();
    return outcome;
  }

  /** Waits for that many more answers. */
  void awaitMore(long count) {
    long before = answers.sum();
    RedisServerProcess.await(count + " more answers", () -> answers.sum() >= before + count);
  }

  void stop() {
    isStopped = true;
    RedisServerProcess.await(
        "the load has ended", () -> threads.stream().noneMatch(Thread::isAlive));
  }

  long requests() {
    return told.size();
  }

  long errors() {
    return told.stream().filter(each -> each.outcome() == Outcome.ERROR).count();
  }

  /** All that was admitted to that caller. */
  long admitted(KeyedLimit caller) {
    return told.stream()
        .filter(each -> each.caller().equals(caller) && each.outcome() == Outcome.ADMITTED)
        .mapToLong(Told::cost)
        .sum();
  }

  /**
   * Refusals that came before as much as the limit was admitted: to be admitted later than the
   * refusal ended, a request must have begun after that.
   */
  long falseRefusals(KeyedLimit caller) {
    List<Told> ofCaller = told.stream().filter(each -> each.caller().equals(caller)).toList();
    List<Told> admissions =
        ofCaller.stream()
            .filter(each -> each.outcome() == Outcome.ADMITTED)
            .sorted(Comparator.comparingLong(Told::startNanos))
            .toList();
    long reachedNanos = Long.MAX_VALUE;
    long sum = 0;
    for (Told admission : admissions) {
      sum += admission.cost();
      if (sum >= caller.limit().limit()) {
        reachedNanos = admission.startNanos();
        break;
      }
    }
    long reached = reachedNanos;
    return ofCaller.stream()
        .filter(each -> each.outcome() == Outcome.REFUSED && each.endNanos() < reached)
        .count();
  }

  /** Of 100 requests that began in that time, 99 took no longer. */
  long p99Nanos(long fromNanos, long untilNanos) {
    long[] sorted =
        told.stream()
            .filter(each -> each.startNanos() >= fromNanos && each.startNanos() < untilNanos)
            .mapToLong(Told::nanos)
            .toArray();
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : sorted[(int) (sorted.length * 0.99)];
  }

  @Override
  public void close() {
    stop();
  }

  private void ask(int node, SplittableRandom random) {
    while (!isStopped) {
      List<KeyedLimit> now = callers;
      ask(node, now.get(random.nextInt(now.size())), 1);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /* A store that lets everything or nothing pass would be a verdict, but not of a node alone. */
  private Outcome outcome(int node, KeyedLimit caller, long cost) {
    try {
      Verdict verdict = nodes.get(node).decide(List.of(caller), cost);
      if (verdict instanceof Verdict.Admitted) {
        return Outcome.ADMITTED;
      }
      return verdict instanceof Verdict.Refused ? Outcome.REFUSED : Outcome.ERROR;
    } catch (RuntimeException | Error failed) {
      return Outcome.ERROR;
    }
  }
}
