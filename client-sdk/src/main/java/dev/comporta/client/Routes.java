package dev.comporta.client;

import dev.comporta.client.pacing.Route;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/** Makes routes of addresses. */
final class Routes {

  private Routes() {}

  static Route of(String method, URI uri, Credentials credentials) {
    return new Route(
        origin(uri), credentials.hash(), method, Optional.ofNullable(uri.getRawPath()).orElse(""));
  }

  /** Scheme, host and port, the port of the scheme where none is given; never the user info. */
  static String origin(URI uri) {
    String scheme = lower(uri.getScheme());
    int port = uri.getPort();
    if (port < 0) {
      port = scheme.equals("https") ? 443 : 80;
    }
    return scheme + "://" + lower(uri.getHost()) + ":" + port;
  }

  /** The host of an origin, without its port. */
  static Optional<String> host(String origin) {
    int start = origin.indexOf("://") + 3;
    int end = origin.lastIndexOf(':');
    return end > start ? Optional.of(origin.substring(start, end)) : Optional.empty();
  }

  private static String lower(String part) {
    return Optional.ofNullable(part).orElse("").toLowerCase(Locale.ROOT);
  }
}
