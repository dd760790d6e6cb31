package dev.comporta.server.policy;

import dev.comporta.server.api.Charge;
import dev.comporta.server.api.CostResolver;
import dev.comporta.server.api.FailureRule;
import java.util.Optional;

/**
 * What annotations say of the cost of a request, and of who keeps it.
 *
 * @param cost permits per request
 * @param costBy the class that computes them instead
 * @param charge which requests are charged; {@link Charge#INHERIT} while nothing outside is known
 * @param failure the class that tells failures
 * @param place where the cost stands
 */
record Charging(
    long cost,
    Optional<Class<? extends CostResolver>> costBy,
    Charge charge,
    Optional<Class<? extends FailureRule>> failure,
    String place) {

  /** This, with the charge and the rule for failures of the one outside where it has none. */
  Charging within(Charging outer) {
    return new Charging(
        cost,
        costBy,
        charge == Charge.INHERIT ? outer.charge : charge,
        failure.isPresent() ? failure : outer.failure,
        place);
  }

  /** This, where nothing is outside. */
  Charging settled() {
    return charge == Charge.INHERIT
        ? new Charging(cost, costBy, Charge.ALWAYS, failure, place)
        : this;
  }
}
