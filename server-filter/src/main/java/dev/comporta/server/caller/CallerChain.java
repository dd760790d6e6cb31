package dev.comporta.server.caller;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.TierResolver;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks identifiers in order who sent a request, and falls back to its address. Where the server
 * does not even tell an address, {@link UnknownCaller} decides. Thread-safe.
 */
public final class CallerChain {

  private static final Logger LOG = LoggerFactory.getLogger(CallerChain.class);

  static final Caller EVERYONE = Caller.of("everyone", "everyone");

  /** A kind of its own, which no address has. */
  private static final Caller UNKNOWN = Caller.of("unknown", "unknown");

  private final List<CallerIdentifier> identifiers;
  private final AddressCaller address;
  private final List<TierResolver> tiers;
  private final UnknownCaller whenUnknown;
  private final AtomicBoolean unknownIsTold;

  /**
   * A chain.
   *
   * @param identifiers asked in this order before the address is
   * @param tiers asked in this order for the tier of a caller that has none
   */
  public CallerChain(
      List<CallerIdentifier> identifiers,
      AddressCaller address,
      List<TierResolver> tiers,
      UnknownCaller whenUnknown) {
    this(identifiers, address, tiers, whenUnknown, new AtomicBoolean());
  }

  private CallerChain(
      List<CallerIdentifier> identifiers,
      AddressCaller address,
      List<TierResolver> tiers,
      UnknownCaller whenUnknown,
      AtomicBoolean unknownIsTold) {
    this.unknownIsTold = unknownIsTold;
    this.identifiers = List.copyOf(identifiers);
    this.address = address;
    this.tiers = List.copyOf(tiers);
    this.whenUnknown = whenUnknown;
  }

  /** Who sent this request, as far as is known in this phase. Nobody is asked before it must be. */
  public RequestCallers of(ContainerRequestContext request) {
    return new RequestCallers(this, request);
  }

  /** The same chain, with another policy for requests of nobody. */
  public CallerChain with(UnknownCaller other) {
    return other == whenUnknown
        ? this
        : new CallerChain(identifiers, address, tiers, other, unknownIsTold);
  }

  /** What is done where {@link RequestCallers} knows nobody. */
  public UnknownCaller whenUnknown() {
    return whenUnknown;
  }

  /** Whom an identifier names. One that breaks its contract is told by its class. */
  static Optional<Caller> ask(CallerIdentifier identifier, ContainerRequestContext request) {
    return Objects.requireNonNull(
        identifier.identify(request),
        () -> identifier.getClass().getName() + " gave null; nobody is Optional.empty()");
  }

  Optional<Caller> recognised(ContainerRequestContext request) {
    for (CallerIdentifier identifier : identifiers) {
      Optional<Caller> caller = ask(identifier, request);
      if (caller.isPresent()) {
        return caller;
      }
    }
    return Optional.empty();
  }

  Optional<Origin> origin(ContainerRequestContext request) {
    return address.origin(request);
  }

  Caller ofOrigin(Origin origin) {
    return address.caller(origin);
  }

  Optional<String> tier(Caller caller, ContainerRequestContext request) {
    if (caller.tier().isPresent()) {
      return caller.tier();
    }
    for (TierResolver resolver : tiers) {
      Optional<String> tier =
          Objects.requireNonNull(
              resolver.tier(caller, request),
              () -> resolver.getClass().getName() + " gave null; no tier is Optional.empty()");
      if (tier.isPresent()) {
        return tier;
      }
    }
    return Optional.empty();
  }

  Optional<Caller> unknown() {
    if (unknownIsTold.compareAndSet(false, true)) {
      LOG.warn(
          "A limited request has no caller: nothing identifies it and the server tells no client"
              + " address. Such requests are dealt with by comporta.unknown-caller={}. Have them"
              + " authenticated, give them API keys, or add a CallerIdentifier that knows them;"
              + " else choose deny, allow or share. This is told once.",
          whenUnknown.name().toLowerCase(Locale.ROOT));
    }
    return whenUnknown == UnknownCaller.SHARE ? Optional.of(UNKNOWN) : Optional.empty();
  }
}
