package dev.comporta.server.caller;

import dev.comporta.server.caller.AddressRules.ForwardingHeader;
import java.util.List;
import java.util.Optional;

/**
 * Finds the client behind trusted proxies: from the right of the forwarding header, past every
 * trusted address, to the first that is not. A hop that is no address ends the walk at the last
 * trusted one.
 */
final class ForwardedWalk {

  private final AddressRules rules;

  ForwardedWalk(AddressRules rules) {
    this.rules = rules;
  }

  /**
   * The client of a request.
   *
   * @param peer the other end of the socket; only if it is trusted is any header read
   * @param forwarded the lines of {@code Forwarded}
   * @param xForwardedFor the lines of {@code X-Forwarded-For}
   */
  ClientAddress client(ClientAddress peer, List<String> forwarded, List<String> xForwardedFor) {
    if (!rules.trustedProxies().isTrusted(peer)) {
      return peer;
    }
    boolean readsForwarded = rules.forwardingHeader() != ForwardingHeader.X_FORWARDED_FOR;
    boolean readsOther = rules.forwardingHeader() != ForwardingHeader.FORWARDED;
    List<String> nodes = readsForwarded ? ListElements.fromRight(forwarded, true) : List.of();
    List<String> hops = readsOther ? ListElements.fromRight(xForwardedFor, false) : List.of();
    boolean hasForwarded = readsForwarded && saysSomething(forwarded);
    boolean hasOther = readsOther && saysSomething(xForwardedFor);
    ClientAddress byNodes = walk(peer, nodes.stream().map(ForwardedWalk::node).toList());
    ClientAddress byHops = walk(peer, hops.stream().map(ClientAddress::parse).toList());
    if (hasForwarded && hasOther) {
      return byNodes.equals(byHops) ? byNodes : peer;
    }
    return hasForwarded ? byNodes : byHops;
  }

  private static boolean saysSomething(List<String> lines) {
    return lines.stream().anyMatch(line -> !line.isBlank());
  }

  private ClientAddress walk(ClientAddress peer, List<Optional<ClientAddress>> hops) {
    ClientAddress nearest = peer;
    for (Optional<ClientAddress> hop : hops) {
      if (hop.isEmpty()) {
        return nearest;
      }
      nearest = hop.get();
      if (!rules.trustedProxies().isTrusted(nearest)) {
        return nearest;
      }
    }
    return nearest;
  }

  private static Optional<ClientAddress> node(String element) {
    return ForwardedElement.client(element).flatMap(ClientAddress::parse);
  }
}
