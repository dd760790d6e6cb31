package dev.comporta.server.caller;

import inet.ipaddr.IPAddress;
import java.util.ArrayList;
import java.util.List;

/** Networks whose forwarding headers are believed. Immutable. */
public final class TrustedProxies {

  /** Nobody is trusted: the socket peer is the client. */
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  private final List<IPAddress> networks;

  private TrustedProxies(List<IPAddress> networks) {
    this.networks = List.copyOf(networks);
  }

  /**
   * The networks written so: addresses, or addresses with a prefix length, {@code 10.0.0.0/8}.
   *
   * @throws IllegalArgumentException if one is neither; the message names it
   */
  public static TrustedProxies of(List<String> networks) {
    List<IPAddress> parsed = new ArrayList<>();
    for (String network : networks) {
      parsed.add(
          AddressText.network(network)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "a trusted proxy is an address or a network such as 10.0.0.0/8, was '"
                              + network
                              + "'")));
    }
    return new TrustedProxies(parsed);
  }

  /** Whether that address lies in one of the networks. */
  public boolean isTrusted(ClientAddress address) {
    for (IPAddress network : networks) {
      if (network.contains(address.bits())) {
        return true;
      }
    }
    return false;
  }

  /** Whether nobody is trusted. */
  public boolean isEmpty() {
    return networks.isEmpty();
  }

  @Override
  public String toString() {
    return "TrustedProxies" + networks;
  }
}
