package dev.comporta.server.filter;

import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Context;
import org.glassfish.grizzly.http.server.Request;
import org.jspecify.annotations.Nullable;

/** Tells the peer address where Jersey runs on Grizzly. Public for Jakarta REST alone. */
public class GrizzlyPeerFilter implements ContainerRequestFilter {

  @Context private @Nullable Provider<Request> grizzlyRequest;

  /** For Jakarta REST. */
  public GrizzlyPeerFilter() {}

  @Override
  public void filter(ContainerRequestContext request) {
    Request current = grizzlyRequest == null ? null : grizzlyRequest.get();
    if (current != null) {
      PeerAddress.leave(request, current.getRemoteAddr());
    }
  }
}
