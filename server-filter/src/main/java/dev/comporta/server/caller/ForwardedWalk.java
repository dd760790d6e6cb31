package dev.comporta.server.caller;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the client behind trusted proxies: from the right of the forwarding header, past every
 * trusted address, to the first that is not. A hop that is no address ends the walk at the last
 * trusted one, and leaves in doubt who the client is.
 */
final class ForwardedWalk {

  private final AddressRules rules;

  ForwardedWalk(AddressRules rules) {
    this.rules = rules;
  }

  /**
   * Where a request comes from.
   *
   * @param peer the other end of the socket; only if it is trusted is any header read
   * @param forwarded the lines of {@code Forwarded}
   * @param xForwardedFor the lines of {@code X-Forwarded-For}
   */
  Origin origin(ClientAddress peer, List<String> forwarded, List<String> xForwardedFor) {
    if (!rules.trustedProxies().isTrusted(peer)) {
      return Origin.certain(peer);
    }
    boolean hasNodes = saysSomething(forwarded);
    boolean hasHops = saysSomething(xForwardedFor);
    return switch (rules.forwardingHeader()) {
      case FORWARDED -> hasNodes ? byNodes(peer, forwarded) : byItself(peer, hasHops);
      case X_FORWARDED_FOR -> hasHops ? byHops(peer, xForwardedFor) : byItself(peer, hasNodes);
      case ANY -> {
        if (hasNodes && hasHops) {
          yield agreed(peer, byNodes(peer, forwarded), byHops(peer, xForwardedFor));
        }
        yield hasNodes ? byNodes(peer, forwarded) : byHops(peer, xForwardedFor);
      }
    };
  }

  private static boolean saysSomething(List<String> lines) {
    return lines.stream().anyMatch(line -> !line.isBlank());
  }

  /** A proxy asks for itself, unless it writes another header than the one that is believed. */
  private static Origin byItself(ClientAddress peer, boolean hasOtherHeader) {
    return hasOtherHeader ? Origin.hiddenBehind(peer) : Origin.certain(peer);
  }

  private static Origin agreed(ClientAddress peer, Origin one, Origin other) {
    if (one.address().equals(other.address())) {
      return one.isCertain() ? other : one;
    }
    return new Origin(peer, false, List.of(one.address(), other.address()));
  }

  private Origin byNodes(ClientAddress peer, List<String> lines) {
    return walk(peer, ListElements.fromRight(lines, true), ForwardedWalk::node);
  }

  private Origin byHops(ClientAddress peer, List<String> lines) {
    return walk(peer, ListElements.fromRight(lines, false), ClientAddress::parse);
  }

  private Origin walk(
      ClientAddress peer, ListElements hops, Function<String, Optional<ClientAddress>> reading) {
    ClientAddress nearest = peer;
    for (String text : hops.elements()) {
      Optional<ClientAddress> hop = reading.apply(text);
      if (hop.isEmpty()) {
        return Origin.hiddenBehind(nearest);
      }
      nearest = hop.get();
      if (!rules.trustedProxies().isTrusted(nearest)) {
        return Origin.certain(nearest);
      }
    }
    return hops.isComplete() ? Origin.certain(nearest) : Origin.hiddenBehind(nearest);
  }

  private static Optional<ClientAddress> node(String element) {
    return ForwardedElement.client(element).flatMap(ClientAddress::parse);
  }
}
