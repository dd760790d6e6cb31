package dev.comporta.server.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.store.Change;
import dev.comporta.server.store.SharedChanges.Sighting;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KnownChangesTest {

  private final KnownChanges known = new KnownChanges();

  @Test
  void asksForAllAtFirst() {
    assertThat(known.version()).isNotEmpty();
  }

  @Test
  void tellsWhatIsNew() {
    known.see(sighting("1:a", Map.of("x", written("one", 10))), 100);

    KnownChanges.Difference difference =
        known.see(sighting("2:b", Map.of("x", written("one", 10), "y", written("two", 20))), 100);

    assertThat(difference.news()).containsOnlyKeys("y");
    assertThat(difference.lost()).isEmpty();
    assertThat(known.version()).isEqualTo("2:b");
  }

  @Test
  void laterOneOfANameHoldsInWhicheverOrderTheyAreMet() {
    known.see(sighting("1:a", Map.of("x", written("late", 20))), 100);

    KnownChanges.Difference difference =
        known.see(sighting("1:b", Map.of("x", written("early", 10))), 100);

    assertThat(difference.news()).isEmpty();
    assertThat(difference.lost()).containsOnlyKeys("x");
    assertThat(known.of("x")).hasValue(written("late", 20));
  }

  @Test
  void tellsWhatTheStoreHasLostButNotWhatHasEnded() {
    known.wrote("x", written("one", 10));
    known.wrote("y", new Change("two", 10, OptionalLong.of(100)));
    known.wrote("z", new Change("three", 10, OptionalLong.of(101)));

    KnownChanges.Difference difference = known.see(sighting("", Map.of()), 100);

    assertThat(difference.lost()).containsOnlyKeys("x", "z");
  }

  @Test
  void asksForAllAgainAfterItHasWrittenOrFoundSomethingLost() {
    known.see(sighting("1:a", Map.of()), 100);
    known.wrote("x", written("one", 10));
    assertThat(known.version()).isNotEqualTo("1:a").isNotEmpty();

    known.see(sighting("2:b", Map.of()), 100);

    assertThat(known.version()).isNotEqualTo("2:b").isNotEmpty();
  }

  @Test
  void remembersThatOneWasTakenBack() {
    known.wrote("x", written("", 20));

    KnownChanges.Difference difference =
        known.see(sighting("1:a", Map.of("x", written("one", 10))), 100);

    assertThat(difference.news()).isEmpty();
    assertThat(difference.lost()).containsEntry("x", written("", 20));
  }

  @Test
  void isFullButForAKnownNameUntilOneHasEnded() {
    known.wrote("x", written("one", 10));
    known.wrote("y", new Change("two", 10, OptionalLong.of(100)));

    known.forgetEnded(99);
    assertThat(known.isFull("z", 2)).isTrue();
    assertThat(known.isFull("x", 2)).isFalse();
    known.forgetEnded(100);
    assertThat(known.isFull("z", 2)).isFalse();
    assertThat(known.of("y")).isEmpty();
  }

  private static Change written(String text, long micros) {
    return new Change(text, micros, OptionalLong.empty());
  }

  private static Sighting sighting(String version, Map<String, Change> all) {
    return new Sighting(version, Optional.of(all));
  }
}
