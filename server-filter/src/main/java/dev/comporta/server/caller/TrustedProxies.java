package dev.comporta.server.caller;

import inet.ipaddr.IPAddress;
import java.util.List;

/** Networks whose forwarding headers are believed. Immutable. */
public final class TrustedProxies {

  /** Nobody is trusted: the socket peer is the client. */
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  private final NetworkSet networks;

  private TrustedProxies(List<IPAddress> networks) {
    this.networks = new NetworkSet(networks);
  }

  /**
   * The networks written so: addresses, or addresses with a prefix length, {@code 10.0.0.0/8}.
   *
   * @throws IllegalArgumentException if one is neither, or has bits beyond its prefix; the message
   *     names it
   */
  public static TrustedProxies of(List<String> networks) {
    return new TrustedProxies(networks.stream().map(TrustedProxies::network).toList());
  }

  private static IPAddress network(String text) {
    return AddressText.exactNetwork(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a trusted proxy is an address or a network such as 10.0.0.0/8, was '"
                        + text
                        + "'"));
  }

  /** Whether that address lies in one of the networks. */
  public boolean isTrusted(ClientAddress address) {
    return networks.contains(address);
  }

  /** Whether nobody is trusted. */
  public boolean isEmpty() {
    return networks.isEmpty();
  }

  @Override
  public String toString() {
    return "TrustedProxies[networks=" + networks.size() + "]";
  }
}
