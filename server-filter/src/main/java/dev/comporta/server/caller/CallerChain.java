package dev.comporta.server.caller;

import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks identifiers in order who sent a request, and falls back to its address. Every request has a
 * caller in the end: where the server does not even tell an address, all such requests are one
 * caller, {@code unknown}, and share its quota. Thread-safe.
 */
public final class CallerChain {

  private static final Logger LOG = LoggerFactory.getLogger(CallerChain.class);

  private static final Caller UNKNOWN = Caller.of(AddressCaller.KIND, "unknown");
  private static final Caller EVERYONE = Caller.of("everyone", "everyone");

  private final List<CallerIdentifier> identifiers;
  private final CallerIdentifier address;
  private final AtomicBoolean unknownIsTold = new AtomicBoolean();

  /**
   * A chain.
   *
   * @param identifiers asked in this order before the address is
   * @param address commonly an {@link AddressCaller}
   */
  public CallerChain(List<CallerIdentifier> identifiers, CallerIdentifier address) {
    this.identifiers = List.copyOf(identifiers);
    this.address = address;
  }

  /** Whose quota a limit of that kind takes for this request. */
  public Caller caller(By by, ContainerRequestContext request) {
    return switch (by) {
      case CALLER -> recognised(request).orElseGet(() -> byAddress(request));
      case ADDRESS -> byAddress(request);
      case EVERYONE -> EVERYONE;
    };
  }

  private Optional<Caller> recognised(ContainerRequestContext request) {
    for (CallerIdentifier identifier : identifiers) {
      Optional<Caller> caller = identifier.identify(request);
      if (caller.isPresent()) {
        return caller;
      }
    }
    return Optional.empty();
  }

  private Caller byAddress(ContainerRequestContext request) {
    return address.identify(request).orElseGet(this::unknown);
  }

  private Caller unknown() {
    if (unknownIsTold.compareAndSet(false, true)) {
      LOG.warn(
          "The server tells no client address: all requests without one count as one caller. This"
              + " is told once.");
    }
    return UNKNOWN;
  }
}
