package dev.comporta.server.filter;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import org.jspecify.annotations.Nullable;

/**
 * Tells the peer address on servers with servlets. A class of its own, because a field of a servlet
 * type breaks the whole application where there are none. Public for Jakarta REST alone.
 */
public class ServletPeerFilter implements ContainerRequestFilter {

  /** Null where the servlet API is there but the server does not use it. */
  @Context private @Nullable HttpServletRequest servletRequest;

  @Context private @Nullable Configuration configuration;

  /** For Jakarta REST. */
  public ServletPeerFilter() {}

  @Override
  public void filter(ContainerRequestContext request) {
    if (servletRequest == null || configuration == null) {
      return;
    }
    PeerAddress.leave(request, servletRequest.getRemoteAddr());
    ServletStop.closeAtUndeploy(
        servletRequest.getServletContext(), LimitedApplication.of(configuration));
  }
}
