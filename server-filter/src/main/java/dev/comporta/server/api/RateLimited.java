package dev.comporta.server.api;

import jakarta.ws.rs.NameBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits the requests to a resource method, to all methods of a resource class, or to a whole
 * {@code Application}.
 *
 * <p>A request passes when all limits of its policy pass, and then all are charged; a refused
 * request is answered with 429 and charges none.
 *
 * <pre>{@code
 * @GET
 * @Path("books")
 * @RateLimited("100/1m")
 * public List<Book> search(@QueryParam("q") String words) { … }
 * }</pre>
 *
 * <p>The annotation of a method replaces that of its class, which replaces that of the {@code
 * Application}. One that states neither limits nor a policy takes these from the next one outside
 * it and changes the cost, and what is charged, alone. Without any, configuration must give the
 * limits ({@code comporta.default.limits}); otherwise the deployment fails.
 *
 * <p>It may also stand on an interface, on a superclass, on an overridden method, or on another
 * annotation that is then put on the resource: all are found, although Jakarta REST itself binds
 * name-bound filters in none of these cases.
 */
@NameBinding
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface RateLimited {

  /**
   * Limits, each {@code permits/window}, counted per caller with a token bucket unless the text
   * says otherwise: {@code "100/1m"}, or several, {@code {"10/1s", "1000/1h"}}. Not together with
   * {@link #limits()}.
   */
  String[] value() default {};

  /** Limits with more to say than permits and window. Not together with {@link #value()}. */
  Limit[] limits() default {};

  /**
   * The name of the policy. Resources that name one policy share its quota, and configuration may
   * set its limits and tiers under {@code comporta.policies.<name>.}. Letters, digits, {@code -}
   * and {@code _}, 64 at most. Without a name, the policy belongs to this method alone or, stated
   * on a class or an {@code Application}, is one quota that all methods of that resource class, or
   * of the application, share.
   */
  String policy() default "";

  /** Permits that one request takes from each limit; at least 1, at most the smallest limit. */
  int cost() default 1;

  /**
   * Computes the cost of each request in place of {@link #cost()}. {@code CostResolver} itself, the
   * default, stands for none.
   */
  Class<? extends CostResolver> costBy() default CostResolver.class;

  /** Which requests keep what they were charged. */
  Charge charge() default Charge.INHERIT;

  /**
   * Which answers are failures, for {@link Charge#FAILURES} and {@link Charge#SUCCESSES}. {@code
   * FailureRule} itself, the default, stands for a status of 400 or above.
   */
  Class<? extends FailureRule> failure() default FailureRule.class;
}
