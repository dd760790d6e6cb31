package dev.comporta.client.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.retry.RetryDecision.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryRulesTest {

  private static final RateLimitSnapshot THREE_SECONDS = hint(Duration.ofSeconds(3));

  private final RetryRules rules = new RetryRules(4, Duration.ofSeconds(10));

  @ParameterizedTest
  @CsvSource({"0, 3000", "0.5, 3150", "1, 3300"})
  void addsJitterAfterTheHint(double random, long millis) {
    RetryDecision decision = rules.decide(new Attempt("GET", true, 1, 429), THREE_SECONDS, random);

    assertThat(decision).isEqualTo(new RetryDecision.RetryAfter(Duration.ofMillis(millis)));
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 250", "1, 1, 500", "2, 0, 500", "3, 1, 2000"})
  void backsOffWithoutAHint(int number, double random, long millis) {
    RetryDecision decision =
        rules.decide(new Attempt("GET", true, number, 429), RateLimitSnapshot.NOTHING, random);

    assertThat(decision).isEqualTo(new RetryDecision.RetryAfter(Duration.ofMillis(millis)));
  }

  @Test
  void stopsOnAHintLongerThanTheLongestWait() {
    Attempt attempt = new Attempt("GET", true, 1, 429);

    assertThat(rules.decide(attempt, hint(Duration.ofMillis(10_001)), 0))
        .isEqualTo(stop(Reason.WAIT_TOO_LONG));
    assertThat(rules.decide(attempt, hint(Duration.ofSeconds(10)), 1))
        .isEqualTo(new RetryDecision.RetryAfter(Duration.ofSeconds(10)));
  }

  @Test
  void stopsAfterTheLastAttempt() {
    assertThat(rules.decide(new Attempt("GET", true, 3, 429), THREE_SECONDS, 0))
        .isInstanceOf(RetryDecision.RetryAfter.class);
    assertThat(rules.decide(new Attempt("GET", true, 4, 429), THREE_SECONDS, 0))
        .isEqualTo(stop(Reason.ATTEMPTS_EXHAUSTED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"})
  void retriesAnUnavailableServerForIdempotentMethods(String method) {
    assertThat(rules.decide(new Attempt(method, true, 1, 503), THREE_SECONDS, 0))
        .isInstanceOf(RetryDecision.RetryAfter.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PATCH"})
  void retriesOtherMethodsOnlyWhenTheyWereNotProcessed(String method) {
    assertThat(rules.decide(new Attempt(method, true, 1, 503), THREE_SECONDS, 0))
        .isEqualTo(stop(Reason.NOT_SAFE));
    assertThat(rules.decide(new Attempt(method, true, 1, 429), THREE_SECONDS, 0))
        .isInstanceOf(RetryDecision.RetryAfter.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 301, 400, 403, 500, 502, 504})
  void stopsOnEveryOtherStatus(int status) {
    assertThat(rules.decide(new Attempt("GET", true, 1, status), THREE_SECONDS, 0))
        .isEqualTo(stop(Reason.NOT_REFUSED));
  }

  @Test
  void stopsWhenTheEntityIsConsumed() {
    assertThat(rules.decide(new Attempt("POST", false, 1, 429), THREE_SECONDS, 0))
        .isEqualTo(stop(Reason.NOT_REPEATABLE));
  }

  @Test
  void refusesSettingsOutOfRange() {
    assertThatThrownBy(() -> new RetryRules(0, Duration.ZERO))
        .hasMessage("maxAttempts must be >= 1, was 0");
    assertThatThrownBy(() -> new RetryRules(1, Duration.ofNanos(-1)))
        .hasMessageStartingWith("maxWait must be >= 0, was ");
  }

  private static RetryDecision stop(Reason reason) {
    return new RetryDecision.Stop(reason);
  }

  private static RateLimitSnapshot hint(Duration hint) {
    return new RateLimitSnapshot(List.of(), Optional.of(hint), Optional.empty());
  }
}
