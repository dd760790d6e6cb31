package dev.comporta.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RefusalBody;
import dev.comporta.server.http.Refusal;
import dev.comporta.server.http.RetryAfterJitter;
import dev.comporta.server.store.OnceAMinute;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ContainerRequest;
import org.junit.jupiter.api.Test;

class RefusalResponseTest {

  private static final Refusal REFUSAL = Refusal.overLimit("search-1m", 30_000_000);

  @Test
  void sendsTheBodyOfTheApplicationUnderTheHeadersOfTheRefusal() {
    RefusalBody own =
        (refusal, request) ->
            Optional.of(new RefusalBody.Body(MediaType.TEXT_HTML_TYPE, "<p>later</p>"));

    Response answer = answer(RetryAfterJitter.NONE, own);

    assertThat(answer.getStatus()).isEqualTo(429);
    assertThat(answer.getEntity()).isEqualTo("<p>later</p>");
    assertThat(answer.getMediaType()).isEqualTo(MediaType.TEXT_HTML_TYPE);
    assertThat(answer.getHeaderString("Retry-After")).isEqualTo("30");
    assertThat(answer.getHeaderString("Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void sendsOursWhereTheApplicationHasNoneOrThrows() {
    RefusalBody none = (refusal, request) -> Optional.empty();
    RefusalBody broken =
        (refusal, request) -> {
          throw new IllegalStateException("this body is broken");
        };

    Response answer = answer(RetryAfterJitter.NONE, none, broken);

    assertThat(answer.getStatus()).isEqualTo(429);
    assertThat(answer.getMediaType()).isEqualTo(MediaType.APPLICATION_JSON_TYPE);
    assertThat(answer.getHeaderString("Retry-After")).isEqualTo("30");
  }

  @Test
  void jitterOnlyAdds() {
    RetryAfterJitter half = new RetryAfterJitter(OptionalInt.of(50), OptionalLong.empty());

    for (int i = 0; i < 100; i++) {
      assertThat(Long.parseLong(answer(half).getHeaderString("Retry-After"))).isBetween(30L, 45L);
    }
  }

  private static Response answer(RetryAfterJitter jitter, RefusalBody... bodies) {
    URI base = URI.create("http://localhost/");
    ContainerRequest request =
        new ContainerRequest(base, base, "GET", null, new MapPropertiesDelegate(), null);
    return new RefusalResponse(List.of(bodies), jitter, new OnceAMinute(() -> 0))
        .of(REFUSAL, request);
  }
}
