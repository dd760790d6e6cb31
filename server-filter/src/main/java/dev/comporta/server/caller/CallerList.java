package dev.comporta.server.caller;

import dev.comporta.server.api.Caller;
import inet.ipaddr.IPAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/*
 * How the two kinds of elements are told apart. Both may have colons: 'fe80::1' is an address,
 * 'api-key:a:b' an identity of the kind 'api-key'. What stands before the first colon of an IPv6
 * address is nothing or up to four hexadecimal digits, and no kind may look like that here. So an
 * address that is misspelt is a fault and never becomes a caller whom nobody is: an element of a
 * list of blocked networks that matches nothing would go unnoticed.
 */
/**
 * Callers whom an operator names: networks, addresses, and identities of a kind. Immutable. {@link
 * #toString()} tells nobody of them.
 */
public final class CallerList {

  /** A list of nobody. */
  public static final CallerList NONE = new CallerList(List.of(), Set.of());

  private static final String RULE =
      "must be an address, a network such as 10.0.0.0/8, or kind:identity such as principal:alice";

  private static final Pattern START_OF_IPV6 = Pattern.compile("[0-9A-Fa-f]{0,4}");
  private static final Pattern KIND = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

  private final NetworkSet networks;
  private final Set<Identity> identities;

  private record Identity(String kind, String identity) {}

  private CallerList(List<IPAddress> networks, Set<Identity> identities) {
    this.networks = new NetworkSet(networks);
    this.identities = Set.copyOf(identities);
  }

  /**
   * The callers written so: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, {@code 192.0.2.7}, {@code
   * principal:alice}, {@code api-key:partner}. White space around an element is no part of it;
   * {@code address:192.0.2.7} is the address itself.
   *
   * @throws IllegalArgumentException if an element is none of these, or a network has bits beyond
   *     its prefix; the message names it
   */
  public static CallerList of(List<String> elements) {
    List<IPAddress> networks = new ArrayList<>();
    Set<Identity> identities = new HashSet<>();
    for (String element : elements) {
      String text = element.strip();
      Optional<Identity> identity = identity(text);
      identity.ifPresentOrElse(identities::add, () -> networks.add(network(text)));
    }
    return new CallerList(networks, identities);
  }

  /** Whether that address lies in one of the networks. */
  public boolean matches(ClientAddress address) {
    return networks.contains(address);
  }

  /** Whether kind and identity of that caller are listed; its tier does not matter. */
  public boolean matches(Caller caller) {
    return !identities.isEmpty()
        && identities.contains(new Identity(caller.kind(), caller.identity()));
  }

  /** Whether it lists nobody. */
  public boolean isEmpty() {
    return !hasNetworks() && !hasIdentities();
  }

  boolean hasNetworks() {
    return !networks.isEmpty();
  }

  boolean hasIdentities() {
    return !identities.isEmpty();
  }

  /** How many there are of each sort. */
  @Override
  public String toString() {
    return "CallerList[networks=" + networks.size() + ", identities=" + identities.size() + "]";
  }

  /** Nothing if the element is meant to be an address or a network. */
  private static Optional<Identity> identity(String text) {
    int colon = text.indexOf(':');
    if (colon < 0 || START_OF_IPV6.matcher(text.substring(0, colon)).matches()) {
      return Optional.empty();
    }
    String kind = text.substring(0, colon);
    if (kind.equals(AddressCaller.KIND)) {
      return Optional.empty();
    }
    String identity = text.substring(colon + 1);
    if (!KIND.matcher(kind).matches() || identity.isEmpty()) {
      throw new IllegalArgumentException(RULE + ", was '" + text + "'");
    }
    return Optional.of(new Identity(kind, identity));
  }

  private static IPAddress network(String text) {
    String kind = AddressCaller.KIND + ":";
    String network = text.startsWith(kind) ? text.substring(kind.length()) : text;
    return AddressText.exactNetwork(withoutZone(network))
        .orElseThrow(() -> new IllegalArgumentException(RULE + ", was '" + text + "'"));
  }

  /** A network has no zone: what would stand after the slash is not to be lost with it. */
  private static String withoutZone(String text) {
    int percent = text.indexOf('%');
    boolean isAddressWithZone = percent > 0 && percent + 1 < text.length() && text.indexOf('/') < 0;
    return isAddressWithZone ? text.substring(0, percent) : text;
  }
}
