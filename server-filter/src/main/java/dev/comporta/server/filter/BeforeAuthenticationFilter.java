package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimited;

/**
 * Decides requests whose policy goes by address or everyone alone, before authentication. Public
 * for Jakarta REST alone; not to be registered.
 */
@RateLimited
public class BeforeAuthenticationFilter extends AdmissionFilter {

  /** For Jakarta REST. */
  public BeforeAuthenticationFilter() {
    super(Phase.BEFORE_AUTHENTICATION);
  }

  /** The same, for resource methods that Jakarta REST does not bind by name. */
  public static class Unnamed extends BeforeAuthenticationFilter {

    /** For Jakarta REST. */
    public Unnamed() {}
  }
}
