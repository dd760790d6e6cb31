package dev.comporta.server.filter;

import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Context;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.jersey.internal.util.collection.Ref;
import org.jspecify.annotations.Nullable;

/** Tells the peer address where Jersey runs on Grizzly. Public for Jakarta REST alone. */
public class GrizzlyPeerFilter implements ContainerRequestFilter {

  /*
   * Jersey's container for Grizzly sets this reference for each request. What Jersey injects as the
   * request itself is made from it by more look-ups in its container of beans, which took more
   * than a quarter of all that this library does for a request.
   */
  @Context private @Nullable Provider<Ref<Request>> grizzlyRequest;

  /** For Jakarta REST. */
  public GrizzlyPeerFilter() {}

  @Override
  public void filter(ContainerRequestContext request) {
    Ref<Request> reference = grizzlyRequest == null ? null : grizzlyRequest.get();
    Request current = reference == null ? null : reference.get();
    if (current != null) {
      PeerAddress.leave(request, current.getRemoteAddr());
    }
  }
}
