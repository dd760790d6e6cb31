package dev.comporta.client.pacing;

import static dev.comporta.client.pacing.Answers.admitted;
import static dev.comporta.client.pacing.Answers.window;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BucketsTest {

  private static final Duration LONG = Duration.ofHours(10);

  private final ManualTimeline timeline = new ManualTimeline();
  private final Buckets buckets = new Buckets(timeline, new Random(1));
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aWaiterIsSentToTheBucketThatAnAnswerToItsRouteNames() throws Exception {
    Departure.Left first = left(route("/x/1"));
    buckets.answered(first, admitted(window("slow", 10, 3600, 0, 3600)));
    Answer quick = admitted(window("quick", 1000, 1, 990, 1));
    buckets.observed(route("/y"), timeline.nowMicros(), quick);
    Future<Departure> waiting = waiting(route("/x/2"));
    timeline.awaitWaits(1);

    timeline.advance(1_000_000);
    buckets.observed(route("/x/2"), timeline.nowMicros(), quick);

    assertThat(waiting.get(20, TimeUnit.SECONDS)).isInstanceOf(Departure.Left.class);
  }

  @Test
  void aWaiterAtAGateThatBecameAnotherBucketIsPacedByThat() throws Exception {
    Departure.Left other = left(new Route("o", "c", "POST", "/x"));
    buckets.answered(other, admitted(window("a", 10, 10, 0, 9)));
    Departure.Left cold = left(route("/x"));
    Future<Departure> waiting = waiting(route("/x"));
    timeline.awaitWaits(1);

    buckets.answered(cold, admitted(window("a", 10, 10, 0, 9)));
    timeline.awaitWaits(1);

    assertThat(waiting).as("held by the bucket that is known to be empty").isNotDone();
    timeline.advance(11_000_000);
    buckets.recheckAll();
    assertThat(waiting.get(20, TimeUnit.SECONDS)).isInstanceOf(Departure.Left.class);
  }

  @Test
  void aRouteThatWasNeverAnsweredIsTakenForTheNearestPathAboveThatWas() throws Exception {
    buckets.answered(left(route("/x/1")), admitted(window("a", 10, 100, 0, 50)));

    assertThat(buckets.enter(route("/x/2"), false, Duration.ofSeconds(1), delay -> {}))
        .isInstanceOf(Departure.TooLong.class);
  }

  @Test
  void keepsNoMoreThanTenThousandBuckets() throws Exception {
    for (int i = 0; i < 25_000; i++) {
      Route route = new Route("origin" + i, "credential", "GET", "/");
      buckets.answered(left(route), admitted(window("a", 10, 1, 5, 1)));
    }

    assertThat(buckets.size()).isLessThanOrEqualTo(10_000);
  }

  @Test
  void forgetsABucketThatWasNotUsedForAnHour() throws Exception {
    buckets.answered(left(route("/x")), admitted(window("a", 10, 100_000, 0, 90_000)));

    timeline.advance(TimeUnit.MINUTES.toMicros(59));
    assertThat(buckets.enter(route("/x"), false, Duration.ZERO, delay -> {}))
        .isInstanceOf(Departure.TooLong.class);
    timeline.advance(TimeUnit.MINUTES.toMicros(61));

    assertThat(buckets.size()).isZero();
    assertThat(left(route("/x"))).isNotNull();
  }

  private Departure.Left left(Route route) throws InterruptedException {
    return (Departure.Left) buckets.enter(route, false, LONG, delay -> {});
  }

  private Future<Departure> waiting(Route route) {
    return threads.submit(() -> buckets.enter(route, false, LONG, delay -> {}));
  }

  private static Route route(String path) {
    return new Route("o", "c", "GET", path);
  }
}
