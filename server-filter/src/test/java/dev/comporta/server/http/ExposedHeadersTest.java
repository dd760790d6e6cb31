package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExposedHeadersTest {

  @Test
  void addsToWhatTheApplicationExposesEachNameOnce() {
    assertThat(
            ExposedHeaders.merge(
                List.of("ETag , ratelimit", "", "Link,ETag"), List.of("RateLimit", "Retry-After")))
        .isEqualTo("ETag, ratelimit, Link, Retry-After");
  }

  @Test
  void startsAListWhereThereIsNone() {
    assertThat(ExposedHeaders.merge(List.of(), List.of("RateLimit"))).isEqualTo("RateLimit");
  }
}
