package dev.comporta.client.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitDialectTest {

  private static final RateLimitDialect WRITTEN =
      RateLimitDialect.of(
          """
          # what our gateway sends
          [Our gateway]
          hosts       gateway.example *.gateway.example
          window      limit=X-Quota remaining=X-Quota-Left reset-ms=X-Quota-Ends length=1m
          refused     420
          usual-wait  5s
          """);

  private static final Map<String, List<String>> QUOTA =
      Map.of(
          "x-quota", List.of("10"), "x-quota-left", List.of("3"), "x-quota-ends", List.of("1500"));

  @Test
  void writtenDialectIsReadAtItsHosts() {
    RateLimitSnapshot snapshot = read(200, "eu.gateway.example", QUOTA, WRITTEN);

    assertThat(snapshot.windows())
        .containsExactly(
            new Window(
                Optional.empty(),
                OptionalLong.of(10),
                OptionalLong.of(3),
                Optional.of(Duration.ofMillis(1500)),
                Optional.of(Duration.ofMinutes(1))));
    assertThat(snapshot.bucket()).contains("Our gateway");
    assertThat(snapshot.throttle()).isEqualTo(Throttle.NONE);
  }

  @Test
  void writtenDialectTellsItsRefusals() {
    RateLimitSnapshot snapshot = read(420, "gateway.example", Map.of(), WRITTEN);

    assertThat(snapshot.throttle().isRefusal()).isTrue();
    assertThat(snapshot.waitHint()).contains(Duration.ofSeconds(5));
  }

  @Test
  void writtenDialectIsOfNoOtherHost() {
    RateLimitSnapshot snapshot = read(420, "gateway.example.org", QUOTA, WRITTEN);

    assertThat(snapshot).isEqualTo(RateLimitSnapshot.NOTHING);
  }

  @Test
  void firstDialectThatReadsCounts() {
    RateLimitSnapshot hour =
        new RateLimitSnapshot(List.of(), Optional.of(Duration.ofHours(1)), Optional.empty());

    RateLimitSnapshot snapshot =
        read(
            200,
            "gateway.example",
            QUOTA,
            response -> Optional.empty(),
            response -> response.first("X-QUOTA").map(told -> hour),
            WRITTEN);

    assertThat(snapshot).isEqualTo(hour);
  }

  @Test
  void dialectThatThrowsHasReadNothing() {
    RateLimitDialect faulty =
        response -> {
          throw new IllegalStateException("faulty");
        };

    assertThat(read(200, "gateway.example", QUOTA, faulty, WRITTEN).windows()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hosts a.example",
        "[a]\nhosts",
        "[a]\ncolour red",
        "[a]\nwindow limit",
        "[a]\nwindow colour=X-Red",
        "[a]\nwindow name=a",
        "[a]\nwindow counts=A",
        "[a]\nwindow limit=A length=soon",
        "[a]\nwait Retry",
        "[a]\nwait Retry weeks",
        "[a]\nrefused often",
        "[a]\nrefused 403 sometimes",
        "[a]\nusual-wait long",
        "[a]\nagain maybe X-Again 1"
      })
  void faultIsNamedWithItsLine(String profiles) {
    String last = profiles.lines().reduce((first, second) -> second).orElseThrow();

    assertThatThrownBy(() -> RateLimitDialect.of(profiles))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line " + profiles.lines().count() + " of the profiles")
        .hasMessageContaining(last);
  }

  @SuppressWarnings("NullAway") // One of them breaks the contract.
  static Stream<RateLimitDialect> faultyDialects() {
    return Stream.of(
        response -> null,
        response -> {
          throw new IllegalStateException("the dialect's");
        },
        response -> {
          throw new StackOverflowError("as a regular expression does");
        },
        response -> {
          throw new NoClassDefFoundError("as a missing library does");
        });
  }

  @ParameterizedTest
  @MethodSource("faultyDialects")
  void aFaultyDialectCountsAsNotHavingReadAnything(RateLimitDialect faulty) {
    RateLimitSnapshot read =
        read(429, "api.example", Map.of("Retry-After", List.of("7")), faulty, faulty);

    assertThat(read.retryAfter()).contains(Duration.ofSeconds(7));
  }

  @Test
  void windowThatIsNamedByItsFieldHasOneNameInAnyCase() {
    for (String field :
        List.of("Zendesk-RateLimit-Tickets-Index", "zendesk-ratelimit-TICKETS-index")) {
      RateLimitSnapshot read =
          read(200, "a.zendesk.com", Map.of(field, List.of("total=100; remaining=99; resets=41")));

      assertThat(
              Stream.concat(read.windows().stream(), read.otherWindows().stream())
                  .map(window -> window.policyName().orElse("")))
          .as(field)
          .containsExactly("tickets-index");
    }
  }

  private static RateLimitSnapshot read(
      int status, String host, Map<String, List<String>> headers, RateLimitDialect... own) {
    ResponseHead head =
        new ResponseHead(
            Optional.of(host),
            status,
            headers,
            Instant.parse("2026-11-30T12:00:00Z"),
            Optional.empty());
    return HeaderReader.read(head, List.of(own));
  }
}
