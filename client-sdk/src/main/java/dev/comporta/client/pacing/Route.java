package dev.comporta.client.pacing;

import java.util.Optional;

/**
 * Where a request goes and for whom, as far as it decides which bucket counts it.
 *
 * @param origin scheme, host and port
 * @param credential a hash of what the request identifies its caller with, never that itself
 * @param method the HTTP method
 * @param path the path without query, beginning with a slash or empty
 */
public record Route(String origin, String credential, String method, String path) {

  /** The route of the path above; empty at the root. */
  Optional<Route> parent() {
    int slash = path.lastIndexOf('/');
    return slash < 0
        ? Optional.empty()
        : Optional.of(new Route(origin, credential, method, path.substring(0, slash)));
  }
}
