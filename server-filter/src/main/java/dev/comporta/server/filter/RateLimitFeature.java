package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimits;
import dev.comporta.server.config.Settings;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.Provider;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings rate limiting into a Jakarta REST application. Servers find it by themselves; on one that
 * does not, it is all that an application registers. Having both is harmless.
 *
 * <pre>{@code
 * public Set<Class<?>> getClasses() {
 *   return Set.of(BookResource.class, RateLimitFeature.class);
 * }
 * }</pre>
 */
public class RateLimitFeature implements Feature {

  /**
   * For tests of an application: the name of a property of the Jakarta REST configuration whose
   * value, a {@link dev.comporta.server.store.MicrosClock}, is the time by which the memory store
   * counts, blocks end and settings are read again. So a test moves time on instead of sleeping:
   *
   * <pre>{@code
   * AtomicLong nowMicros = new AtomicLong(1_000_000);
   * MicrosClock clock = nowMicros::get;
   * resourceConfig.property(RateLimitFeature.CLOCK, clock);
   * }</pre>
   */
  public static final String CLOCK = "dev.comporta.server.clock";

  /**
   * For tests of an application: the name of a property whose value, a {@link
   * dev.comporta.server.store.LimitStore}, takes the place of the one that settings choose.
   */
  public static final String STORE = "dev.comporta.server.store";

  /**
   * For tests of an application: the name of a property whose value, a {@link
   * dev.comporta.server.api.RateLimitListener}, is told beside those of the application. {@link
   * dev.comporta.server.testing.LimitsUnderTest} sets all three.
   */
  public static final String LISTENER = "dev.comporta.server.listener";

  @Context private @Nullable Application application;

  /** For Jakarta REST. */
  public RateLimitFeature() {}

  /**
   * The same, for servers that scan for providers and do not look for services. A class of its own,
   * since those that do both would warn of one that they find twice.
   */
  @Provider
  public static class Scanned extends RateLimitFeature {

    /** For Jakarta REST. */
    public Scanned() {}
  }

  @Override
  public boolean configure(FeatureContext context) {
    if (LimitedApplication.find(context.getConfiguration()).isPresent()) {
      return false;
    }
    LimitedApplication limited = LimitedApplication.read(applicationClass());
    context.property(LimitedApplication.property(), limited);
    context.property(RateLimits.PROPERTY, limited.limits(context.getConfiguration()));
    registerNamed(context, limited.settings().priorities());
    registerPeerAddress(context, limited.settings().priorities());
    context.register(new LimitBinding(limited));
    if (Libraries.hasJersey()) {
      context.register(new JerseyLifecycle(limited));
    } else {
      limited.openAtStart(context.getConfiguration());
    }
    return true;
  }

  private Optional<Class<?>> applicationClass() {
    return Optional.ofNullable(application)
        .map(shown -> Libraries.hasJersey() ? JerseyLifecycle.unwrapped(shown) : shown)
        .map(Object::getClass);
  }

  private static void registerNamed(FeatureContext context, Settings.Priorities priorities) {
    context.register(BeforeAuthenticationFilter.class, priorities.beforeAuthentication());
    context.register(AfterAuthenticationFilter.class, priorities.afterAuthentication());
    context.register(RateLimitHeadersFilter.class, RateLimitHeadersFilter.PRIORITY);
  }

  private static void registerPeerAddress(FeatureContext context, Settings.Priorities priorities) {
    int first =
        Math.subtractExact(
            Math.min(priorities.beforeAuthentication(), priorities.afterAuthentication()), 1);
    if (Libraries.hasServlets()) {
      context.register(ServletPeerFilter.class, first);
    }
    if (Libraries.hasJerseyOnGrizzly()) {
      context.register(GrizzlyPeerFilter.class, first);
    }
  }
}
