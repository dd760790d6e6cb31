package dev.comporta.server.caller;

/**
 * How the address of a client is found and grouped.
 *
 * @param trustedProxies the proxies whose forwarding headers are believed
 * @param forwardingHeader the header that they write
 * @param ipv6Prefix how many leading bits of an IPv6 address make one caller, 32 to 128
 */
public record AddressRules(
    TrustedProxies trustedProxies, ForwardingHeader forwardingHeader, int ipv6Prefix) {

  /** One subscriber commonly owns a /64: any address of it is the same caller. */
  public static final int DEFAULT_IPV6_PREFIX = 64;

  /** The largest networks that providers give to one customer are not larger. */
  public static final int MIN_IPV6_PREFIX = 32;

  /** Each address by itself. */
  public static final int MAX_IPV6_PREFIX = 128;

  /** No proxy is trusted; IPv6 is grouped by /64. */
  public static final AddressRules DEFAULT =
      new AddressRules(TrustedProxies.NONE, ForwardingHeader.ANY, DEFAULT_IPV6_PREFIX);

  /** Checks the prefix. */
  public AddressRules {
    if (ipv6Prefix < MIN_IPV6_PREFIX || ipv6Prefix > MAX_IPV6_PREFIX) {
      throw new IllegalArgumentException("IPv6 prefix must be 32 to 128, was " + ipv6Prefix);
    }
  }

  /** The header in which trusted proxies write whom they forward for. */
  public enum ForwardingHeader {
    /**
     * Whichever is there. When both are there and do not name the same client, one of them may be
     * forged, and neither is believed: the request counts for the proxy that sent it.
     */
    ANY,
    /** {@code Forwarded} of RFC 7239 alone. */
    FORWARDED,
    /** {@code X-Forwarded-For} alone. */
    X_FORWARDED_FOR
  }
}
