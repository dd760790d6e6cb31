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
    if (uri.getHost() == null) {
      return scheme + "://" + server(uri, scheme);
    }
    int port = uri.getPort() < 0 ? defaultPort(scheme) : uri.getPort();
    return scheme + "://" + lower(uri.getHost()) + ":" + port;
  }

  /** A host that {@link URI} does not take for one, such as {@code my_service}, and its port. */
  private static String server(URI uri, String scheme) {
    String authority = lower(uri.getRawAuthority());
    String server = authority.substring(authority.lastIndexOf('@') + 1);
    int colon = server.lastIndexOf(':');
    String host = colon < 0 ? server : server.substring(0, colon);
    String port = colon < 0 ? "" : server.substring(colon + 1);
    return host + ":" + (port.isEmpty() ? defaultPort(scheme) : port);
  }

  private static int defaultPort(String scheme) {
    return scheme.equals("https") ? 443 : 80;
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
