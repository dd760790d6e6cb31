package dev.comporta.client.pacing;

import static dev.comporta.client.pacing.Answers.admitted;
import static dev.comporta.client.pacing.Answers.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.pacing.PacingGate.Wish;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PacingGateTest {

  private static final long FAR = 1_000_000_000_000L;

  private final ManualTimeline timeline = new ManualTimeline();
  private final PacingGate gate =
      new PacingGate(new Pacer(new SplittableRandom(1)), timeline, 1_000);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<Integer> left = new LinkedBlockingQueue<>();
  private final BlockingQueue<Ticket> tickets = new LinkedBlockingQueue<>();

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void waitersLeaveInTheOrderOfComingAndOneAtATime() throws Exception {
    leaveNothing(5);
    for (int i = 0; i < 4; i++) {
      start(i, false);
      timeline.awaitWaits(1);
    }

    timeline.advance(5_000_000);
    gate.recheck();
    assertThat(left.take()).isZero();

    assertThat(gate.inFlight()).as("left at the same instant").isEqualTo(1);
    for (int i = 1; i < 4; i++) {
      timeline.advance(3_000_000);
      gate.answered(tickets.take(), admitted(window("a", 10, 10, 8, 1)));
      assertThat(left.take()).isEqualTo(i);
      assertThat(gate.inFlight()).as("in flight after %d", i).isEqualTo(1);
    }
  }

  @Test
  void aRefusedRequestGoesFirst() throws Exception {
    leaveNothing(5);
    start(1, false);
    timeline.awaitWaits(1);
    start(2, true);
    timeline.awaitWaits(1);

    timeline.advance(5_000_000);
    gate.recheck();

    assertThat(left.take()).isEqualTo(2);
  }

  @Test
  void interruptEndsAWaitAtOnceAndLeavesThePlaceToTheNext() throws Exception {
    leaveNothing(5);
    CountDownLatch ended = new CountDownLatch(1);
    FutureTask<Passage> first =
        new FutureTask<>(
            () -> {
              try {
                return gate.enter(new Wish(false, FAR, () -> true, delay -> {}));
              } finally {
                ended.countDown();
              }
            });
    Thread thread = new Thread(first);
    thread.start();
    timeline.awaitWaits(1);
    start(2, false);
    timeline.awaitWaits(1);

    thread.interrupt();
    ended.await();
    timeline.awaitWaits(1);
    timeline.advance(5_000_000);
    gate.recheck();

    assertThat(first)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(Exception.class)
        .withCauseInstanceOf(InterruptedException.class);
    assertThat(left.take()).isEqualTo(2);
  }

  @Test
  void anInterruptBeforeTheWaitSendsNothing() throws Exception {
    leaveNothing(5);
    FutureTask<Passage> task =
        new FutureTask<>(
            () -> {
              Thread.currentThread().interrupt();
              return gate.enter(new Wish(false, FAR, () -> true, delay -> {}));
            });
    Thread thread = new Thread(task);

    thread.start();
    thread.join();

    assertThat(task)
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(Exception.class)
        .withCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void aRequestThatGetsNoAnswerGivesItsPlaceInFlightBack() throws Exception {
    Passage first = gate.enter(new Wish(false, FAR, () -> true, delay -> {}));
    start(1, false);
    timeline.awaitWaits(1);
    assertThat(left).isEmpty();

    gate.lost(((Passage.Entered) first).ticket());

    assertThat(left.take()).isEqualTo(1);
  }

  @Test
  void aWaiterThatBelongsElsewhereIsSentAway() throws Exception {
    leaveNothing(5);
    AtomicBoolean isHere = new AtomicBoolean(true);
    Future<Passage> moved =
        threads.submit(() -> gate.enter(new Wish(false, FAR, isHere::get, delay -> {})));
    timeline.awaitWaits(1);

    isHere.set(false);
    gate.recheck();

    assertThat(moved.get(20, TimeUnit.SECONDS)).isEqualTo(new Passage.Moved());
  }

  @Test
  void aListenerThatThrowsLeavesNothingBehind() throws Exception {
    leaveNothing(5);
    Future<Passage> failing =
        threads.submit(
            () ->
                gate.enter(
                    new Wish(
                        false,
                        FAR,
                        () -> true,
                        delay -> {
                          throw new IllegalStateException("the listener's");
                        })));
    assertThat(failing).failsWithin(Duration.ofSeconds(20));

    timeline.advance(5_000_000);

    assertThat(gate.enter(new Wish(false, FAR, () -> true, delay -> {})))
        .isInstanceOf(Passage.Entered.class);
  }

  @Test
  void aWaitLongerThanAllowedIsRefusedWithItsLength() throws Exception {
    leaveNothing(5);

    Passage passage =
        gate.enter(new Wish(false, timeline.nowMicros() + 4_000_000, () -> true, d -> {}));

    assertThat(((Passage.TooLong) passage).delay())
        .isBetween(Duration.ofSeconds(5), Duration.ofMillis(5_300));
  }

  @Test
  void noPlaceIsLostUnderContention() throws Exception {
    Passage first = gate.enter(new Wish(false, FAR, () -> true, delay -> {}));
    settle(((Passage.Entered) first).ticket(), 1);
    timeline.advance(1_000);
    int callers = 16;
    int callsEach = 200;
    AtomicInteger inside = new AtomicInteger();
    List<Future<Integer>> done = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      int caller = i;
      done.add(
          threads.submit(
              () -> {
                int entered = 0;
                for (int call = 0; call < callsEach; call++) {
                  if (gate.enter(new Wish(call % 5 == 0, FAR, () -> true, d -> {}))
                      instanceof Passage.Entered in) {
                    entered++;
                    inside.incrementAndGet();
                    settle(in.ticket(), (caller + call) % 3);
                    inside.decrementAndGet();
                  }
                }
                return entered;
              }));
    }

    int sum = 0;
    for (Future<Integer> each : done) {
      sum += each.get(25, TimeUnit.SECONDS);
    }

    assertThat(sum).isEqualTo(callers * callsEach);
    assertThat(inside).hasValue(0);
    assertThat(gate.inFlight()).isZero();
  }

  @Test
  void waitersWithoutAThreadLeaveInTheOrderOfComingAndOneAtATime() throws Exception {
    leaveNothing(5);
    List<CompletableFuture<Passage>> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(gate.enterLater(new Wish(false, FAR, () -> true, delay -> {})));
    }

    timeline.advance(5_000_000);
    Ticket ticket = entered(waiting.get(0));

    assertThat(waiting.subList(1, 4)).noneMatch(CompletableFuture::isDone);
    for (int i = 1; i < 4; i++) {
      timeline.advance(3_000_000);
      gate.answered(ticket, admitted(window("a", 10, 10, 8, 1)));
      ticket = entered(waiting.get(i));
      assertThat(waiting.subList(i + 1, 4)).noneMatch(CompletableFuture::isDone);
      assertThat(gate.inFlight()).as("in flight after %d", i).isEqualTo(1);
    }
  }

  @Test
  void aRefusedRequestWithoutAThreadGoesFirst() throws Exception {
    leaveNothing(5);
    CompletableFuture<Passage> usual =
        gate.enterLater(new Wish(false, FAR, () -> true, delay -> {}));
    CompletableFuture<Passage> refused =
        gate.enterLater(new Wish(true, FAR, () -> true, delay -> {}));

    timeline.advance(5_000_000);

    assertThat(entered(refused)).isNotNull();
    assertThat(usual).isNotDone();
  }

  // C34, C41
  @Test
  void cancelAHundredMillisIntoALongWaitEndsItAtOnceAndGivesThePlaceToTheNext() throws Exception {
    leaveNothing(5);
    CompletableFuture<Passage> first =
        gate.enterLater(new Wish(false, FAR, () -> true, delay -> {}));
    CompletableFuture<Passage> second =
        gate.enterLater(new Wish(false, FAR, () -> true, delay -> {}));
    timeline.advance(100_000);

    first.cancel(false);
    timeline.settle();
    int timers = timeline.pending();
    timeline.advance(5_000_000);

    assertThat(first).isCancelled();
    assertThat(timers).as("timers, of the second alone").isEqualTo(1);
    assertThat(entered(second)).isNotNull();
    assertThat(gate.inFlight()).as("the cancelled one has not left").isEqualTo(1);
  }

  // C34
  @Test
  void interruptAHundredMillisIntoALongWaitEndsItInThatInstant() throws Exception {
    leaveNothing(5);
    FutureTask<Passage> waiting =
        new FutureTask<>(() -> gate.enter(new Wish(false, FAR, () -> true, delay -> {})));
    Thread thread = new Thread(waiting);
    thread.start();
    timeline.awaitWaits(1);
    timeline.advance(100_000);
    long interrupted = timeline.nowMicros();

    thread.interrupt();
    thread.join();

    assertThat(timeline.nowMicros() - interrupted).isLessThanOrEqualTo(20_000);
    assertThat(waiting)
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(Exception.class)
        .withCauseInstanceOf(InterruptedException.class);
    assertThat(gate.inFlight()).isZero();
  }

  @Test
  void aThousandWaitersWithoutAThreadHoldNoMoreThreadsThanTen() throws Exception {
    leaveNothing(5);
    List<CompletableFuture<Passage>> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waiting.add(gate.enterLater(new Wish(false, FAR, () -> true, delay -> {})));
    }
    timeline.settle();
    int threadsOfTen = Thread.activeCount();

    for (int i = 10; i < 1_000; i++) {
      waiting.add(gate.enterLater(new Wish(false, FAR, () -> true, delay -> {})));
    }

    assertThat(Thread.activeCount()).isLessThanOrEqualTo(threadsOfTen);
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    waiting.forEach(each -> each.cancel(false));
  }

  // C43, C53
  @Test
  void allOfAHerdOfTwoHundredLeaveAndNeverTogether() throws Exception {
    Passage probe = gate.enter(new Wish(false, FAR, () -> true, delay -> {}));
    gate.answered(((Passage.Entered) probe).ticket(), admitted(window("a", 100, 10, 0, 7)));
    BlockingQueue<Ticket> entered = new LinkedBlockingQueue<>();
    List<CompletableFuture<Passage>> herd = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      CompletableFuture<Passage> waiting =
          gate.enterLater(new Wish(false, FAR, () -> true, delay -> {}));
      CompletableFuture<Void> unused =
          waiting.thenAccept(passage -> entered.add(((Passage.Entered) passage).ticket()));
      herd.add(waiting);
    }

    // A window of 100 in 10 s, whose answers come 10 ms later.
    int remaining = 100;
    int mostTogether = 0;
    int mostInASecond = 0;
    Deque<Integer> second = new ArrayDeque<>();
    List<Ticket> left = List.of();
    for (int step = 0; step < 6_000 && !herd.stream().allMatch(CompletableFuture::isDone); step++) {
      timeline.advance(10_000);
      remaining = step % 1_000 == 0 ? 100 : remaining;
      for (Ticket ticket : left) {
        remaining = Math.max(0, remaining - 1);
        gate.answered(ticket, admitted(window("a", 100, 10, remaining, 10 - (step % 1_000) / 100)));
      }
      timeline.settle();
      left = new ArrayList<>();
      entered.drainTo(left);
      mostTogether = Math.max(mostTogether, left.size());
      second.addLast(left.size());
      if (second.size() > 100) {
        second.removeFirst();
      }
      mostInASecond = Math.max(mostInASecond, second.stream().mapToInt(count -> count).sum());
    }

    assertThat(herd).allMatch(CompletableFuture::isDone);
    assertThat(mostTogether).as("of 200, left at the same instant").isLessThanOrEqualTo(4);
    assertThat(mostInASecond).as("of 100 per 10 s, left in a second").isLessThanOrEqualTo(20);
  }

  private static Ticket entered(CompletableFuture<Passage> passage) throws Exception {
    return ((Passage.Entered) passage.get(20, TimeUnit.SECONDS)).ticket();
  }

  /** A third of the requests gets no answer. */
  private void settle(Ticket ticket, int way) {
    timeline.advance(1_000);
    if (way == 0) {
      gate.lost(ticket);
    } else {
      gate.answered(ticket, admitted(window("a", 1_000_000, 1, 999_000, 1)));
    }
  }

  private void leaveNothing(long seconds) throws InterruptedException {
    Passage first = gate.enter(new Wish(false, FAR, () -> true, delay -> {}));
    gate.answered(((Passage.Entered) first).ticket(), admitted(window("a", 10, 10, 0, seconds)));
  }

  private void start(int number, boolean isRetry) {
    threads.execute(
        () -> {
          try {
            if (gate.enter(new Wish(isRetry, FAR, () -> true, delay -> {}))
                instanceof Passage.Entered in) {
              left.add(number);
              tickets.add(in.ticket());
            }
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
