package dev.comporta.server.api;

/**
 * Is told what the filter decides. An implementation is a CDI bean, or named in {@code
 * META-INF/services/dev.comporta.server.api.RateLimitListener}. It is called in the thread of the
 * request, after the decision, from many threads at once, and must not block. One that throws is
 * logged, and the request goes on.
 *
 * <p>Where there is CDI, the same events are fired as CDI events: {@code void on(@Observes
 * RateLimitEvent.Refused refused)}.
 */
@FunctionalInterface
public interface RateLimitListener {

  /** Something happened. */
  void on(RateLimitEvent event);
}
