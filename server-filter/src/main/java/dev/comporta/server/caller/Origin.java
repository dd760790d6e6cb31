package dev.comporta.server.caller;

import java.util.List;

/**
 * Where a request comes from, as far as trusted proxies tell.
 *
 * @param address whom it counts for
 * @param isCertain whether that is the client; if not, the headers hide it or contradict each
 *     other, and the request counts for the proxy that is nearest to it
 * @param claimed the clients that contradicting headers name, one of which may be right
 */
record Origin(ClientAddress address, boolean isCertain, List<ClientAddress> claimed) {

  static Origin certain(ClientAddress address) {
    return new Origin(address, true, List.of());
  }

  /** The client is hidden behind that proxy. */
  static Origin hiddenBehind(ClientAddress proxy) {
    return new Origin(proxy, false, List.of());
  }

  /** Being allowed takes certainty: else a header that contradicts would make a proxy of anyone. */
  boolean isCertainlyIn(CallerList list) {
    return isCertain && list.matches(address);
  }

  /** Being blocked does not: a header that contradicts must not be a way around it. */
  boolean isPerhapsIn(CallerList list) {
    return list.matches(address) || claimed.stream().anyMatch(list::matches);
  }
}
