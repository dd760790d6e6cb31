package dev.comporta.server.caller;

import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Why fields may be null here: one of these is made for every limited request, and most requests
 * ask one question of it. A field that is null with its flag set says that nobody was found.
 */
/**
 * Who sent one request. Each question is answered when it is first asked and then remembered: no
 * identifier is asked twice. Where nobody is known the answer is empty, and {@link
 * CallerChain#whenUnknown()} says what to do. It serves one phase of one request, in one thread: a
 * caller that was asked for before authentication is another one after it.
 */
public final class RequestCallers {

  private final CallerChain chain;
  private final ContainerRequestContext request;

  private @Nullable Origin origin;
  private boolean isOriginAsked;
  private @Nullable Caller address;
  private boolean isAddressAsked;
  private @Nullable Caller caller;
  private boolean isCallerAsked;
  private @Nullable String tier;
  private boolean isTierAsked;
  private @Nullable IdentityHashMap<CallerIdentifier, Optional<Caller>> named;

  RequestCallers(CallerChain chain, ContainerRequestContext request) {
    this.chain = chain;
    this.request = request;
  }

  /** Whose quota a limit of that kind takes. */
  public Optional<Caller> caller(By by) {
    return switch (by) {
      case CALLER -> caller();
      case ADDRESS -> address();
      case EVERYONE -> Optional.of(everyone());
    };
  }

  /** Whom the first identifier that recognises the request names, else its address. */
  public Optional<Caller> caller() {
    if (!isCallerAsked) {
      caller = chain.recognised(request).or(this::address).orElse(null);
      isCallerAsked = true;
    }
    return Optional.ofNullable(caller);
  }

  /** The address that it comes from, whoever is logged in. */
  public Optional<Caller> address() {
    if (!isAddressAsked) {
      address = origin().map(chain::ofOrigin).or(chain::unknown).orElse(null);
      isAddressAsked = true;
    }
    return Optional.ofNullable(address);
  }

  /** All callers as one. */
  public Caller everyone() {
    return CallerChain.EVERYONE;
  }

  /** Whom that identifier names; when it names nobody, the address. */
  public Optional<Caller> keyedBy(CallerIdentifier identifier) {
    if (named == null) {
      named = new IdentityHashMap<>(2);
    }
    Optional<Caller> known = named.get(identifier);
    if (known == null) {
      known = CallerChain.ask(identifier, request);
      named.put(identifier, known);
    }
    return known.or(this::address);
  }

  /**
   * The tier of the caller: its own, else what the first resolver says that names one. Resolvers
   * are asked here alone, so that a request to a policy without tiers does not pay for them.
   */
  public Optional<String> tier() {
    if (!isTierAsked) {
      tier = caller().flatMap(known -> chain.tier(known, request)).orElse(null);
      isTierAsked = true;
    }
    return Optional.ofNullable(tier);
  }

  /**
   * Whether that list lets the request through. An address counts only if it is certainly the
   * client's: with headers that hide it or contradict each other nobody becomes a proxy that is
   * listed.
   */
  public boolean isAllowed(CallerList allowed) {
    boolean isFromThere =
        allowed.hasNetworks() && origin().filter(from -> from.isCertainlyIn(allowed)).isPresent();
    return isFromThere || isNamed(allowed);
  }

  /**
   * Whether that list keeps the request out. Where headers contradict each other, each address that
   * they name counts: contradiction is no way around the list.
   */
  public boolean isBlocked(CallerList blocked) {
    boolean isFromThere =
        blocked.hasNetworks() && origin().filter(from -> from.isPerhapsIn(blocked)).isPresent();
    return isFromThere || isNamed(blocked);
  }

  private boolean isNamed(CallerList list) {
    return list.hasIdentities() && caller().filter(list::matches).isPresent();
  }

  private Optional<Origin> origin() {
    if (!isOriginAsked) {
      origin = chain.origin(request).orElse(null);
      isOriginAsked = true;
    }
    return Optional.ofNullable(origin);
  }
}
