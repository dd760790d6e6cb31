package dev.comporta.server.contract;

import dev.comporta.server.api.Quota;
import dev.comporta.server.api.RateLimitContext;
import jakarta.annotation.Priority;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.security.Principal;
import java.util.stream.Collectors;

/** What an application commonly brings besides resources. */
public final class ContractFilters {

  private ContractFilters() {}

  /** Whoever sends {@code X-User} is that user; {@code nobody} is refused with 401. */
  @Provider
  @Priority(Priorities.AUTHENTICATION)
  public static class Authentication implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      String user = request.getHeaderString("X-User");
      if (user == null) {
        return;
      }
      if (user.equals("nobody")) {
        request.abortWith(Response.status(Response.Status.UNAUTHORIZED).build());
        return;
      }
      request.setSecurityContext(new Authenticated(() -> user));
    }
  }

  private record Authenticated(Principal principal) implements SecurityContext {

    @Override
    public Principal getUserPrincipal() {
      return principal;
    }

    @Override
    public boolean isUserInRole(String role) {
      return principal.getName().startsWith(role + "-");
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return "X-User";
    }
  }

  /** An application that exposes headers of its own. */
  @Provider
  @Priority(Priorities.HEADER_DECORATOR)
  public static class Cors implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      if (request.getHeaderString("Origin") != null) {
        response.getHeaders().add("Access-Control-Expose-Headers", "ETag, x-ratelimit-limit");
      }
    }
  }

  /** Marks a method that is answered with the quotas of its caller. */
  @NameBinding
  @Retention(RetentionPolicy.RUNTIME)
  public @interface ToldQuotas {}

  /**
   * Answers with a line for each quota. A filter, since not every server lets a resource see the
   * properties of its request.
   */
  @Provider
  @ToldQuotas
  @Priority(Priorities.USER)
  public static class TellQuotas implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      String lines =
          RateLimitContext.of(request::getProperty).quotas().stream()
              .map(TellQuotas::line)
              .collect(Collectors.joining("\n"));
      request.abortWith(Response.ok(lines, "text/plain").build());
    }

    private static String line(Quota quota) {
      return String.join(
          " ",
          quota.policy(),
          quota.name(),
          Long.toString(quota.remaining()),
          Long.toString(quota.limit()),
          quota.window().toString());
    }
  }

  /**
   * Charges what the headers {@code X-Charge} and {@code X-Try-Charge} say, as a resource would.
   */
  @Provider
  @Priority(Priorities.USER)
  public static class Spending implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      String charge = request.getHeaderString("X-Charge");
      if (charge != null) {
        RateLimitContext.of(request::getProperty).charge(Long.parseLong(charge));
      }
      String wanted = request.getHeaderString("X-Try-Charge");
      if (wanted != null
          && !RateLimitContext.of(request::getProperty).tryCharge(Long.parseLong(wanted))) {
        request.abortWith(Response.status(Response.Status.TOO_MANY_REQUESTS).build());
      }
    }
  }
}
