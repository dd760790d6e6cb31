package dev.comporta.server.caller;

import inet.ipaddr.IPAddress;
import java.util.Optional;

/**
 * The address of a client, told apart by its bits and not by its spelling: IPv4-mapped IPv6 is
 * IPv4, and zone, brackets and port are left out. Immutable. {@link #toString()} does not tell it.
 */
public final class ClientAddress {

  private final IPAddress bits;

  private ClientAddress(IPAddress bits) {
    this.bits = bits;
  }

  /** Reads an address, such as {@code 192.0.2.1:4711} or {@code [2001:db8::1]}; never a name. */
  public static Optional<ClientAddress> parse(String text) {
    return AddressText.address(text).map(ClientAddress::new);
  }

  /**
   * The identity of its caller: an IPv4 address in full, of an IPv6 address its leading bits. An
   * IPv4 address that a translator has put into {@code 64:ff9b::/96} is that IPv4 address: else all
   * that it translates would be one caller.
   *
   * <p>Source: RFC 6052, section 2.1.
   *
   * @param ipv6Prefix how many bits
   */
  public String identity(int ipv6Prefix) {
    if (!bits.isIPv6()) {
      return bits.toCanonicalString();
    }
    if (bits.toIPv6().isWellKnownIPv4Translatable()) {
      return bits.toIPv6().getEmbeddedIPv4Address().toCanonicalString();
    }
    return bits.toPrefixBlock(ipv6Prefix).getLower().withoutPrefixLength().toCanonicalString()
        + "/"
        + ipv6Prefix;
  }

  IPAddress bits() {
    return bits;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClientAddress that && bits.equals(that.bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  /** The version of the protocol alone. */
  @Override
  public String toString() {
    return "ClientAddress[" + bits.getIPVersion() + "]";
  }
}
