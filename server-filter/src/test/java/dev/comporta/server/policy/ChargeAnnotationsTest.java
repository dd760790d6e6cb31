package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.Charge;
import dev.comporta.server.api.CostResolver;
import dev.comporta.server.api.FailureRule;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChargeAnnotationsTest {

  private static final String HERE = ChargeAnnotationsTest.class.getName() + "$";

  static class Rows implements CostResolver {
    @Override
    public long cost(ContainerRequestContext request) {
      return 2;
    }
  }

  static class OnlyServerErrors implements FailureRule {
    @Override
    public boolean isFailure(ContainerResponseContext response) {
      return response.getStatus() >= 500;
    }
  }

  static class NotFound implements FailureRule {
    @Override
    public boolean isFailure(ContainerResponseContext response) {
      return response.getStatus() == 404;
    }
  }

  @RateLimited(value = "10/1m", charge = Charge.FAILURES, failure = OnlyServerErrors.class)
  static class Resource {
    @GET
    public void asTheClass() {}

    @GET
    @RateLimited("5/1m")
    public void ownLimits() {}

    @GET
    @RateLimited(costBy = Rows.class)
    public void ownCost() {}

    @GET
    @RateLimited(charge = Charge.SUCCESSES, failure = NotFound.class)
    public void ownCharge() {}

    @GET
    @RateLimited(charge = Charge.ALWAYS)
    public void always() {}
  }

  @Test
  void takesChargeAndFailureRuleFromTheClass() {
    PolicyBinding asTheClass = binding("asTheClass");
    PolicyBinding ownLimits = binding("ownLimits");

    assertThat(asTheClass.charge()).isEqualTo(Charge.FAILURES);
    assertThat(asTheClass.failure()).contains(OnlyServerErrors.class);
    assertThat(asTheClass.costBy()).isEmpty();
    assertThat(ownLimits.policy().limits()).containsExactly(LimitSpec.parse("5/1m"));
    assertThat(ownLimits.charge()).isEqualTo(Charge.FAILURES);
    assertThat(ownLimits.failure()).contains(OnlyServerErrors.class);
  }

  @Test
  void takesTheLimitsOfTheClassWhereOnlyCostOrChargeIsGiven() {
    PolicyBinding ownCost = binding("ownCost");
    PolicyBinding ownCharge = binding("ownCharge");

    assertThat(ownCost.policy()).isEqualTo(binding("asTheClass").policy());
    assertThat(ownCost.costBy()).contains(Rows.class);
    assertThat(ownCost.charge()).isEqualTo(Charge.FAILURES);
    assertThat(ownCharge.policy()).isEqualTo(binding("asTheClass").policy());
    assertThat(ownCharge.charge()).isEqualTo(Charge.SUCCESSES);
    assertThat(ownCharge.failure()).contains(NotFound.class);
  }

  @Test
  void needsNoFailureRuleWhereEverythingIsCharged() {
    assertThat(binding("always").charge()).isEqualTo(Charge.ALWAYS);
    assertThat(binding("always").failure()).isEmpty();
  }

  @RateLimited(value = "10/1m", charge = Charge.SUCCESSES)
  static class LimitedApplication {}

  static class Plain {
    @GET
    @RateLimited("5/1m")
    public void get() {}
  }

  @Test
  void takesTheChargeOfTheApplicationAndAlwaysWhereNobodySays() throws Exception {
    assertThat(binding(Plain.class, "get", Optional.of(LimitedApplication.class)).charge())
        .isEqualTo(Charge.SUCCESSES);
    assertThat(binding(Plain.class, "get", Optional.empty()).charge()).isEqualTo(Charge.ALWAYS);
  }

  interface AbstractByNature extends CostResolver {}

  abstract static class Unfinished implements FailureRule {}

  @SuppressWarnings("ClassCanBeStatic") // what it is here for
  class Inner implements CostResolver {
    @Override
    public long cost(ContainerRequestContext request) {
      return 1;
    }
  }

  static class Faulty {
    @GET
    @RateLimited(value = "10/1m", cost = 2, costBy = Rows.class)
    public void bothCosts() {}

    @GET
    @RateLimited(value = "10/1m", cost = 1, costBy = Rows.class)
    public void costOfOneIsTheDefault() {}

    @GET
    @RateLimited(value = "10/1m", costBy = AbstractByNature.class)
    public void interfaceCost() {}

    @GET
    @RateLimited(value = "10/1m", costBy = Inner.class)
    public void innerCost() {}

    @GET
    @RateLimited(value = "10/1m", charge = Charge.FAILURES, failure = Unfinished.class)
    public void abstractFailure() {}

    @GET
    @RateLimited(value = "10/1m", failure = NotFound.class)
    public void failureOfNothing() {}

    @GET
    @RateLimited(value = "10/1m", charge = Charge.ALWAYS, failure = NotFound.class)
    public void failureOfAll() {}

    @GET
    @RateLimited(value = "10/1m", charge = Charge.SUCCESSES, failure = NotFound.class)
    public void valid() {}
  }

  @Test
  void tellsEveryFaultWithItsPlace() {
    assertThat(faults(Faulty.class))
        .extracting(PolicyFault::toString)
        .containsExactlyInAnyOrder(
            "cost and costBy must not stand together, was 2 with "
                + (HERE + "Rows (" + HERE + "Faulty#bothCosts())"),
            "costBy must be a class of which there can be objects, was the interface "
                + (HERE + "AbstractByNature (" + HERE + "Faulty#interfaceCost())"),
            "costBy must be a class of which there can be objects, was the inner class "
                + (HERE + "Inner, which is not static (" + HERE + "Faulty#innerCost())"),
            "failure must be a class of which there can be objects, was the abstract class "
                + (HERE + "Unfinished (" + HERE + "Faulty#abstractFailure())"),
            "failure needs charge FAILURES or SUCCESSES here or outside, was ALWAYS with "
                + (HERE + "NotFound (" + HERE + "Faulty#failureOfNothing())"),
            "failure needs charge FAILURES or SUCCESSES here or outside, was ALWAYS with "
                + (HERE + "NotFound (" + HERE + "Faulty#failureOfAll())"));
  }

  @RateLimited(value = "10/1m", charge = Charge.FAILURES)
  static class Charging {
    @GET
    @RateLimited(failure = NotFound.class)
    public void inherits() {}
  }

  @Test
  void takesAFailureRuleWhoseChargeStandsOutside() throws Exception {
    assertThat(faults(Charging.class)).isEmpty();
    assertThat(binding(Charging.class, "inherits", Optional.empty()).failure())
        .contains(NotFound.class);
  }

  @Test
  void bindsNoChargeThatIsUndecided() {
    Policy policy = new Policy("p", List.of(LimitSpec.parse("1/1m")), java.util.Map.of(), true);

    assertThatThrownBy(
            () -> new PolicyBinding(policy, 1, Optional.empty(), Charge.INHERIT, Optional.empty()))
        .hasMessageContaining("INHERIT");
  }

  private static PolicyBinding binding(String method) {
    try {
      return binding(Resource.class, method, Optional.empty());
    } catch (NoSuchMethodException absent) {
      throw new AssertionError(absent);
    }
  }

  private static PolicyBinding binding(
      Class<?> resource, String method, Optional<Class<?>> application)
      throws NoSuchMethodException {
    PolicyCatalog catalog = new PolicyCatalog(ConfiguredPolicies.NONE, application);
    return ((Resolution.Limited) catalog.resolve(resource, resource.getMethod(method))).binding();
  }

  private static List<PolicyFault> faults(Class<?> resource) {
    PolicyCatalog catalog = new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
    catalog.discoverAll(resource);
    return catalog.faults();
  }
}
