package dev.comporta.server.caller;

import inet.ipaddr.AddressStringParameters.RangeParameters;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import inet.ipaddr.ipv6.IPv6Address;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads addresses as they are written, strictly: no ranges, no octal, no single numbers, no names.
 * Nothing here asks DNS: the text is an address in full, or it is none.
 */
final class AddressText {

  /** An IPv6 address with an embedded IPv4 one has 45 characters; brackets, zone and port add. */
  private static final int MAX_LENGTH = 96;

  /** The bits of the prefix {@code ::ffff:0:0/96}. */
  private static final int MAPPED_PREFIX = 96;

  private static final Pattern OBFUSCATED_PORT = Pattern.compile("_[A-Za-z0-9._-]+");

  private static final IPAddressStringParameters ADDRESS = strict(false);
  private static final IPAddressStringParameters NETWORK = strict(true);

  private AddressText() {}

  /** An address, with brackets, zone and port stripped; IPv4-mapped IPv6 is IPv4. */
  static Optional<IPAddress> address(String text) {
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    return parse(withoutZone(withoutPort(text.strip())), ADDRESS).map(AddressText::unmapped);
  }

  /** An address or a network, as the block of all its addresses. */
  private static Optional<IPAddress> network(String text) {
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    return parse(text.strip(), NETWORK).map(AddressText::block);
  }

  /**
   * An address or a network that is written with its first address.
   *
   * @throws IllegalArgumentException if a network has bits beyond its prefix: it may be misspelt
   */
  static Optional<IPAddress> exactNetwork(String text) {
    Optional<IPAddress> network = network(text);
    if (network.isPresent() && hasBitsBeyondPrefix(text, network.get())) {
      throw new IllegalArgumentException(
          "a network must have no bits beyond its prefix, was '"
              + text
              + "'; probably meant: "
              + network.get());
    }
    return network;
  }

  private static boolean hasBitsBeyondPrefix(String text, IPAddress block) {
    int slash = text.indexOf('/');
    IPAddress first = block.getLower().withoutPrefixLength();
    return slash >= 0
        && !address(text.substring(0, slash)).map(first::equals).orElse(Boolean.FALSE);
  }

  private static IPAddress block(IPAddress address) {
    Integer length = address.getNetworkPrefixLength();
    if (length == null) {
      return unmapped(address);
    }
    IPAddress lower = address.withoutPrefixLength();
    if (length >= MAPPED_PREFIX && !unmapped(lower).equals(lower)) {
      return unmapped(lower).toPrefixBlock(length - MAPPED_PREFIX);
    }
    return lower.toPrefixBlock(length);
  }

  private static IPAddress unmapped(IPAddress address) {
    if (address instanceof IPv6Address ipv6 && ipv6.isIPv4Mapped()) {
      return ipv6.getEmbeddedIPv4Address();
    }
    return address;
  }

  private static Optional<IPAddress> parse(String text, IPAddressStringParameters parameters) {
    if (text.isEmpty() || !text.chars().allMatch(AddressText::isOfAnAddress)) {
      return Optional.empty();
    }
    return Optional.ofNullable(new IPAddressString(text, parameters).getAddress());
  }

  /** The library would trim control characters, and knows spellings that we do not want. */
  private static boolean isOfAnAddress(int c) {
    boolean isHexDigit = c < 128 && Character.digit(c, 16) >= 0;
    return isHexDigit || c == '.' || c == ':' || c == '/';
  }

  /** {@code [v6]:port}, {@code [v6]}, {@code v4:port}; a bare IPv6 address has no port. */
  private static String withoutPort(String text) {
    if (text.startsWith("[")) {
      int end = text.indexOf(']');
      boolean isWhole = end > 0 && isPortOrNothing(text.substring(end + 1));
      return isWhole && text.lastIndexOf(':', end) > 0 ? text.substring(1, end) : "";
    }
    int colon = text.indexOf(':');
    boolean isOnlyColon = colon >= 0 && colon == text.lastIndexOf(':');
    if (isOnlyColon && isPortOrNothing(text.substring(colon))) {
      return text.substring(0, colon);
    }
    return text;
  }

  private static boolean isPortOrNothing(String text) {
    if (text.isEmpty()) {
      return true;
    }
    return text.length() > 1 && text.charAt(0) == ':' && isPort(text.substring(1));
  }

  /** RFC 7239 allows an obfuscated port, {@code _gizmo}, beside a number. */
  private static boolean isPort(String text) {
    boolean isNumber = text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber || OBFUSCATED_PORT.matcher(text).matches();
  }

  /** {@code fe80::1%eth0}: which interface it came in by is no part of who sent it. */
  private static String withoutZone(String text) {
    int percent = text.indexOf('%');
    return percent > 0 && text.indexOf(':') >= 0 ? text.substring(0, percent) : text;
  }

  private static IPAddressStringParameters strict(boolean allowsPrefix) {
    IPAddressStringParameters.Builder builder =
        new IPAddressStringParameters.Builder()
            .allowEmpty(false)
            .allowAll(false)
            .allowSingleSegment(false)
            .allowMask(false)
            .allowPrefixOnly(false)
            .allowWildcardedSeparator(false)
            .allow_inet_aton(false)
            .setRangeOptions(RangeParameters.NO_RANGE)
            .allowPrefix(allowsPrefix);
    builder.getIPv4AddressParametersBuilder().allowLeadingZeros(false).allowBinary(false);
    builder
        .getIPv6AddressParametersBuilder()
        .allowBase85(false)
        .allowBinary(false)
        .allowZone(false);
    return builder.toParams();
  }
}
