package dev.comporta.server.filter;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;

/**
 * The question of a browser whether a page may send a request. It asks for nothing, and a browser
 * could not read a refusal; so it is not limited.
 *
 * <p>Source: Fetch Standard, CORS-preflight fetch.
 */
final class Preflight {

  private Preflight() {}

  static boolean is(ContainerRequestContext request) {
    return request.getMethod().equals(HttpMethod.OPTIONS)
        && request.getHeaderString("Origin") != null
        && request.getHeaderString("Access-Control-Request-Method") != null;
  }
}
