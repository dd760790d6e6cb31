package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.config.Settings;
import dev.comporta.server.policy.InvalidPolicyException;
import dev.comporta.server.policy.Resolution;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Reads the annotations of every resource method, and binds the filters where Jakarta REST does not
 * do so by name: to an interface type, a superclass, an overridden method, a composed annotation, a
 * policy that stands in the configuration alone.
 *
 * <p>It registers other classes than those that are bound by name: some servers ignore a class that
 * they know already, or bind it by name even here. Where both are bound after all, the second finds
 * that the request has been decided.
 */
final class LimitBinding implements DynamicFeature {

  private final LimitedApplication application;

  LimitBinding(LimitedApplication application) {
    this.application = application;
  }

  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    Class<?> type = resource.getResourceClass();
    Method method = resource.getResourceMethod();
    if (type == null || method == null || LimitedApplication.isOfServer(method)) {
      return;
    }
    Resolution resolution = resolution(type, method);
    if (resolution instanceof Resolution.Exempt) {
      context.register(
          ExemptionFilter.class, application.settings().priorities().beforeAuthentication());
    } else if (!(resolution instanceof Resolution.Unlimited) && !isBoundByName(type, method)) {
      bind(context, application.settings().priorities());
    }
  }

  /* What is faulty is bound, so that it is refused where nothing could stop the deployment. */
  private @Nullable Resolution resolution(Class<?> type, Method method) {
    try {
      application.catalog().discover(type, method);
      return application.catalog().resolve(type, method);
    } catch (InvalidPolicyException faulty) {
      return null;
    }
  }

  private static void bind(FeatureContext context, Settings.Priorities priorities) {
    context.register(BeforeAuthenticationFilter.Unnamed.class, priorities.beforeAuthentication());
    context.register(AfterAuthenticationFilter.Unnamed.class, priorities.afterAuthentication());
    context.register(RateLimitHeadersFilter.Unnamed.class, RateLimitHeadersFilter.PRIORITY);
  }

  /* Only what every server binds: the annotation on the resource method or class itself. */
  private static boolean isBoundByName(Class<?> type, Method method) {
    return method.isAnnotationPresent(RateLimited.class)
        || type.isAnnotationPresent(RateLimited.class);
  }
}
