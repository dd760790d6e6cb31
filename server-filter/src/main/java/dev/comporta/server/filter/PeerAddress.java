package dev.comporta.server.filter;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address of the other end of the socket. Jakarta REST does not tell it, so a filter that knows
 * the server leaves it on the request: {@link ServletPeerFilter} or {@link GrizzlyPeerFilter}.
 */
final class PeerAddress {

  private static final String PROPERTY = "dev.comporta.server.peer";

  private PeerAddress() {}

  /** The address that was left, or nothing when no filter knows this server. */
  static Optional<String> of(ContainerRequestContext request) {
    return Optional.ofNullable((String) request.getProperty(PROPERTY));
  }

  /** Leaves the address; null, when the server does not know it either, leaves none. */
  static void leave(ContainerRequestContext request, @Nullable String address) {
    if (address != null) {
      request.setProperty(PROPERTY, address);
    }
  }
}
