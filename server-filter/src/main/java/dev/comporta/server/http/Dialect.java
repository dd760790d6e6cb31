package dev.comporta.server.http;

/** A family of header names that tells quotas. An application chooses which it sends. */
public enum Dialect {
  /**
   * {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset}.
   *
   * <p><b>Tells</b> the binding limit alone. <b>Choose it</b> for clients that exist: most know
   * these names.
   */
  LEGACY,

  /**
   * {@code RateLimit-Policy} and {@code RateLimit}.
   *
   * <p><b>Tells</b> every limit that is not for everyone. <b>Choose it</b> for clients that obey
   * several limits at once.
   *
   * <p>Source: draft-ietf-httpapi-ratelimit-headers-11.
   */
  IETF
}
