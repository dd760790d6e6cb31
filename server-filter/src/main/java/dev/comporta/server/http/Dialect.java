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
  IETF,

  /**
   * Parameters of our own in {@code RateLimit-Policy} and {@code RateLimit}.
   *
   * <p><b>Tells</b> how each limit counts, and its times in milliseconds; nothing without {@link
   * #IETF}. <b>Choose it</b> for clients of Comporta, which then know the window exactly. Others
   * pass over parameters that they do not know.
   *
   * <p>Source: draft-ietf-httpapi-ratelimit-headers-11, section 3.1.
   */
  HINTS
}
