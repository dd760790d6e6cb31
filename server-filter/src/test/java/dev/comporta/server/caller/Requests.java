package dev.comporta.server.caller;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.SecurityContext;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests that know their headers and their principal, and nothing else. */
final class Requests {

  private Requests() {}

  static ContainerRequestContext with(String header, String... lines) {
    MultivaluedMap<String, String> headers = new MultivaluedHashMap<>();
    if (lines.length > 0) {
      headers.put(header, List.copyOf(Arrays.asList(lines)));
    }
    return request(headers, null);
  }

  static ContainerRequestContext with(Map<String, List<String>> lines) {
    MultivaluedMap<String, String> headers = new MultivaluedHashMap<>();
    headers.putAll(lines);
    return request(headers, null);
  }

  static ContainerRequestContext by(@Nullable SecurityContext security) {
    return request(new MultivaluedHashMap<>(), security);
  }

  static SecurityContext user(@Nullable String name, String... roles) {
    Set<String> own = Set.of(roles);
    return new SecurityContext() {
      @Override
      public @Nullable Principal getUserPrincipal() {
        return name == null ? null : () -> name;
      }

      @Override
      public boolean isUserInRole(String role) {
        return own.contains(role);
      }

      @Override
      public boolean isSecure() {
        return true;
      }

      @Override
      public String getAuthenticationScheme() {
        return SecurityContext.BASIC_AUTH;
      }
    };
  }

  private static ContainerRequestContext request(
      MultivaluedMap<String, String> headers, @Nullable SecurityContext security) {
    return (ContainerRequestContext)
        Proxy.newProxyInstance(
            Requests.class.getClassLoader(),
            new Class<?>[] {ContainerRequestContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getHeaders" -> headers;
                  case "getSecurityContext" -> security;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
