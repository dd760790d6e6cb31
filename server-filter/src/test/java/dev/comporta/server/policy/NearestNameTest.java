package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {

  @ParameterizedTest
  @CsvSource({
    "search, search, 0",
    "serch, search, 1",
    "searchh, search, 1",
    "saerch, search, 1",
    "sarech, search, 2",
    "'', abc, 3",
    "abc, '', 3",
    "abc, xyz, 3"
  })
  void countsTypingErrors(String from, String to, int distance) {
    assertThat(NearestName.distance(from, to)).isEqualTo(distance);
    assertThat(NearestName.distance(to, from)).isEqualTo(distance);
  }

  @Test
  void guessesTheNearestWithinTheDistance() {
    List<String> known = List.of("search", "report", "login");

    assertThat(NearestName.of("serch", known, 1)).contains("search");
    assertThat(NearestName.of("srch", known, 2)).contains("search");
    assertThat(NearestName.of("srch", known, 1)).isEmpty();
    assertThat(NearestName.of("x".repeat(1_000_000), known, 2)).isEmpty();
  }
}
