package dev.comporta.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.header.ResponseHead;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeadTextTest {

  // RFC 9112, section 5.2
  @Test
  void lineThatIsFoldedGoesOnWithTheValueBefore() {
    ResponseHead head =
        parse(
            String.join(
                "\r\n",
                "HTTP/1.1 429 Too Many Requests",
                "RateLimit-Policy: \"a\";q=10;w=1,",
                "\t\"b\";q=100;w=60",
                "Retry-After:",
                "  7",
                ""));

    assertThat(head.headers())
        .isEqualTo(
            Map.of(
                "RateLimit-Policy",
                List.of("\"a\";q=10;w=1, \"b\";q=100;w=60"),
                "Retry-After",
                List.of("7")));
  }

  @Test
  void lineThatIsFoldedUnderNoFieldIsLeftOut() {
    ResponseHead head = parse("HTTP/2 200\r\n Retry-After: 7\r\nnonsense\r\n X-A: 1\r\nx-b: 2\r\n");

    assertThat(head.headers()).isEqualTo(Map.of("x-b", List.of("2")));
  }

  @Test
  void linesOfOneFieldStayApart() {
    ResponseHead head = parse("HTTP/2 429 \r\nretry-after: soon\r\nretry-after: 7\r\n\r\n");

    assertThat(head.status()).isEqualTo(429);
    assertThat(head.headers()).isEqualTo(Map.of("retry-after", List.of("soon", "7")));
  }

  private static ResponseHead parse(String text) {
    return HeadText.parse(text, Optional.empty(), Instant.EPOCH);
  }
}
