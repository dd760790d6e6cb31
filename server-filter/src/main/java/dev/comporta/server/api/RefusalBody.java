package dev.comporta.server.api;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.Optional;

/**
 * The application's own body of a refusal, in place of those of this library. An implementation is
 * a CDI bean, or named in {@code META-INF/services/dev.comporta.server.api.RefusalBody}. It is
 * called from many threads at once and must not read the entity of the request. Status and headers
 * stay those of the refusal. Where one throws, that is logged and ours is sent.
 */
@FunctionalInterface
public interface RefusalBody {

  /**
   * The body of this refusal; empty to leave it to the library.
   *
   * @param request the request that is refused
   */
  Optional<Body> of(Refusal refusal, ContainerRequestContext request);

  /**
   * A body.
   *
   * @param type what it is
   * @param entity anything that the server can write as that
   */
  record Body(MediaType type, Object entity) {}

  /**
   * Why a request is refused.
   *
   * @param status 429, also for a caller that is blocked for a time; 503 when the limits could not
   *     be checked; 403 for a caller that a setting blocks, or that cannot be told
   * @param limit the name of the limit that refused, as the wire tells it; empty if none did
   * @param retryAfter when it makes sense to ask again; empty if it never does
   */
  record Refusal(int status, Optional<String> limit, Optional<Duration> retryAfter) {}
}
