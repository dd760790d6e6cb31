package dev.comporta.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimitListener;
import dev.comporta.server.cdi.HidingLoader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ObserversTest {

  private static final RateLimitEvent TROUBLE = new RateLimitEvent.StoreTrouble("search", false);

  private final AtomicLong nowMicros = new AtomicLong(1_000_000);
  private final List<RateLimitEvent> heard = new ArrayList<>();

  /** Asked in a class loader that sees no optional library. */
  public static class Probe implements Supplier<String> {

    @Override
    public String get() {
      try (Observers observers = Observers.open(Stores.inMemory("books"), List.of(), () -> 1)) {
        observers.tell(new RateLimitEvent.StoreTrouble("search", false));
        return observers.isEmpty() + " " + observers.getClass().getClassLoader().getClass();
      }
    }
  }

  @Test
  void isEmptyWhenNobodyListens() {
    assertThat(Observers.of(List.of(), nowMicros::get).isEmpty()).isTrue();
    assertThat(Observers.of(List.of(heard::add), nowMicros::get).isEmpty()).isFalse();
  }

  @Test
  void nobodyListensWhereThereIsNoOptionalLibrary() throws Exception {
    Class<?> probe =
        new HidingLoader("jakarta.enterprise.", "io.micrometer.", "org.eclipse.microprofile.")
            .loadClass(Probe.class.getName());

    Object answer = ((Supplier<?>) probe.getConstructor().newInstance()).get();

    assertThat(answer).isEqualTo("true " + HidingLoader.class);
  }

  @Test
  void othersHearWhatOneFailsToHear() {
    Observers observers = Observers.of(List.of(throwing(), heard::add), nowMicros::get);

    String log = logOf(() -> observers.tell(TROUBLE));

    assertThat(heard).containsExactly(TROUBLE);
    assertThat(log).contains("failed to hear StoreTrouble", "IllegalStateException: full disk");
  }

  @Test
  void anErrorOfLinkingStopsNoRequest() {
    RateLimitListener unlinked =
        event -> {
          throw new NoClassDefFoundError("com/example/Audit");
        };

    String log = logOf(() -> Observers.of(List.of(unlinked), nowMicros::get).tell(TROUBLE));

    assertThat(log).contains("NoClassDefFoundError: com/example/Audit");
  }

  @Test
  void anErrorOfTheMachinePasses() {
    RateLimitListener exhausted =
        event -> {
          throw new OutOfMemoryError("for a test");
        };
    Observers observers = Observers.of(List.of(exhausted), nowMicros::get);

    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> observers.tell(TROUBLE));
  }

  @Test
  void logsAFailingListenerOnceAMinute() {
    Observers observers = Observers.of(List.of(throwing()), nowMicros::get);

    assertThat(logOf(() -> observers.tell(TROUBLE))).contains("full disk");
    nowMicros.addAndGet(TimeUnit.MINUTES.toMicros(1) - 1);
    assertThat(logOf(() -> observers.tell(TROUBLE))).isEmpty();
    nowMicros.addAndGet(1);
    assertThat(logOf(() -> observers.tell(TROUBLE))).contains("full disk");
  }

  @Test
  void logsAgainWhenTheClockHasSteppedBack() {
    Observers observers = Observers.of(List.of(throwing()), nowMicros::get);
    nowMicros.set(TimeUnit.DAYS.toMicros(400));
    assertThat(logOf(() -> observers.tell(TROUBLE))).contains("full disk");

    nowMicros.set(0);

    assertThat(logOf(() -> observers.tell(TROUBLE))).contains("full disk");
  }

  private static RateLimitListener throwing() {
    return event -> {
      throw new IllegalStateException("full disk");
    };
  }

  private static String logOf(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return written.toString(StandardCharsets.UTF_8);
  }
}
