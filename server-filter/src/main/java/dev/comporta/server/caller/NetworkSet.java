package dev.comporta.server.caller;

import inet.ipaddr.IPAddress;
import inet.ipaddr.format.util.DualIPv4v6Tries;
import java.util.List;

/**
 * Networks and addresses, asked whether one of them holds an address. A question walks down a
 * binary tree, so that it takes the same time whether there are three networks or ten thousand.
 * Immutable.
 */
final class NetworkSet {

  /** Only ever read once it is filled, which any number of threads may do at once. */
  private final DualIPv4v6Tries networks = new DualIPv4v6Tries();

  NetworkSet(List<IPAddress> networks) {
    networks.forEach(this.networks::add);
  }

  boolean contains(ClientAddress address) {
    return networks.elementContains(address.bits());
  }

  boolean isEmpty() {
    return networks.isEmpty();
  }

  int size() {
    return networks.size();
  }
}
