package dev.comporta.server.contract;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.Optional;

/** An identifier of the application that recognises nobody, and breaks when it is told to. */
public final class BrokenCaller implements CallerIdentifier {

  /** The header that breaks it. */
  public static final String HEADER = "X-Break-Caller";

  @Override
  public Optional<Caller> identify(ContainerRequestContext request) {
    if (request.getHeaderString(HEADER) != null) {
      throw new IllegalStateException("this identifier is broken");
    }
    return Optional.empty();
  }
}
