package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimited;

/**
 * Decides requests whose policy asks who the caller is, after authentication. Public for Jakarta
 * REST alone; not to be registered.
 */
@RateLimited
public class AfterAuthenticationFilter extends AdmissionFilter {

  /** For Jakarta REST. */
  public AfterAuthenticationFilter() {
    super(Phase.AFTER_AUTHENTICATION);
  }

  /** The same, for resource methods that Jakarta REST does not bind by name. */
  public static class Unnamed extends AfterAuthenticationFilter {

    /** For Jakarta REST. */
    public Unnamed() {}
  }
}
