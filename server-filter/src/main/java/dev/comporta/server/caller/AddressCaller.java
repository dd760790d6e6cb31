package dev.comporta.server.caller;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Recognises a request by the address that it comes from, seen past trusted proxies. */
public final class AddressCaller implements CallerIdentifier {

  /** The kind of its callers. */
  public static final String KIND = "address";

  private final Function<ContainerRequestContext, Optional<String>> peerAddress;
  private final AddressRules rules;
  private final ForwardedWalk walk;
  private final Recent<String, Optional<ClientAddress>> peers = new Recent<>(ClientAddress::parse);
  private final Recent<ClientAddress, Caller> callers = new Recent<>(this::named);

  /**
   * An identifier by those rules.
   *
   * @param peerAddress the address of the other end of the socket, as the server tells it
   */
  public AddressCaller(
      Function<ContainerRequestContext, Optional<String>> peerAddress, AddressRules rules) {
    this.peerAddress = peerAddress;
    this.rules = rules;
    this.walk = new ForwardedWalk(rules);
  }

  @Override
  public Optional<Caller> identify(ContainerRequestContext request) {
    return origin(request).map(this::caller);
  }

  Optional<Origin> origin(ContainerRequestContext request) {
    return peerAddress.apply(request).flatMap(peers::of).map(peer -> origin(peer, request));
  }

  Caller caller(Origin origin) {
    return callers.of(origin.address());
  }

  private Caller named(ClientAddress address) {
    return Caller.of(KIND, address.identity(rules.ipv6Prefix()));
  }

  private Origin origin(ClientAddress peer, ContainerRequestContext request) {
    if (rules.trustedProxies().isEmpty()) {
      return Origin.certain(peer);
    }
    return walk.origin(peer, lines(request, "Forwarded"), lines(request, "X-Forwarded-For"));
  }

  private static List<String> lines(ContainerRequestContext request, String header) {
    List<String> lines = request.getHeaders().get(header);
    return lines == null ? List.of() : lines;
  }
}
