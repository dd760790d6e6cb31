package dev.comporta.server.filter;

import dev.comporta.server.api.RefusalBody;
import dev.comporta.server.http.Refusal;
import dev.comporta.server.http.RefusalAnswer;
import dev.comporta.server.http.RetryAfterJitter;
import dev.comporta.server.store.OnceAMinute;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the answer of a refusal: with the body of the application if it gives one, else with our
 * own. Thread-safe.
 *
 * @param bodies those of the application, asked in order
 * @param jitter what is added to the wait that is told
 * @param complaint when a body that was not made is told
 */
record RefusalResponse(List<RefusalBody> bodies, RetryAfterJitter jitter, OnceAMinute complaint) {

  private static final Logger LOG = LoggerFactory.getLogger(RefusalResponse.class);

  Response of(Refusal exact, ContainerRequestContext request) {
    Refusal refusal = exact.with(jitter, ThreadLocalRandom.current().nextLong());
    for (RefusalBody own : bodies) {
      Optional<RefusalBody.Body> body = body(own, refusal, request);
      if (body.isPresent()) {
        Response.ResponseBuilder builder =
            Response.status(refusal.status()).type(body.get().type()).entity(body.get().entity());
        refusal.headers().forEach(builder::header);
        return builder.build();
      }
    }
    return ours(refusal, request);
  }

  /* Whoever is refused is told so, whatever the application makes of it. */
  private Optional<RefusalBody.Body> body(
      RefusalBody own, Refusal refusal, ContainerRequestContext request) {
    try {
      return Objects.requireNonNull(own.of(refusal.toApplication(), request));
    } catch (RuntimeException thrown) {
      if (complaint.isDue()) {
        LOG.warn(
            "{} has no body of a refusal; ours is sent (told once a minute)",
            own.getClass().getName(),
            thrown);
      }
      return Optional.empty();
    }
  }

  /* Bytes, since a server's JSON library might quote a string once more. */
  private static Response ours(Refusal refusal, ContainerRequestContext request) {
    RefusalAnswer answer =
        RefusalAnswer.of(
            refusal,
            header(request, HttpHeaders.ACCEPT),
            header(request, HttpHeaders.ACCEPT_LANGUAGE));
    Response.ResponseBuilder builder =
        Response.status(answer.status())
            .type(answer.mediaType())
            .entity(answer.body().getBytes(StandardCharsets.UTF_8));
    answer.headers().forEach(builder::header);
    return builder.build();
  }

  private static Optional<String> header(ContainerRequestContext request, String name) {
    return Optional.ofNullable(request.getHeaderString(name));
  }
}
