package dev.comporta.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.map;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimitListener;
import dev.comporta.server.observe.StoreStatus.Condition;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WithWeldTest {

  private static final RateLimitEvent.Allowed ALLOWED =
      new RateLimitEvent.Allowed("search", Optional.empty(), Optional.empty(), 1);

  @ApplicationScoped
  public static class Application implements RateLimitListener {

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> heard = new ArrayList<>();

    @Produces
    MeterRegistry registry() {
      return registry;
    }

    @Override
    public void on(RateLimitEvent event) {
      heard.add("listener");
    }

    void onAllowed(@Observes RateLimitEvent.Allowed allowed) {
      heard.add("observer of " + allowed.policy());
    }

    List<String> heard() {
      return heard;
    }
  }

  @AutoClose
  private final WeldContainer container = new Weld().addBeanClasses(Application.class).initialize();

  @Test
  void beansObserverMethodsAndTheMetersOfTheApplicationAreTold() {
    try (Observers observers = Observers.open(Stores.inMemory("books"), List.of(), () -> 1)) {
      observers.tell(ALLOWED);
    }

    assertThat(container.select(Application.class).get().heard())
        .containsExactly("listener", "observer of search");
    assertThat(
            container.select(MeterRegistry.class).get().get(Meter.DECISIONS.id()).counter().count())
        .isEqualTo(1);
  }

  @Test
  void healthFindsTheCheckAmongThoseOfReadiness() {
    HealthCheckResponse answer = health();

    assertThat(answer.getName()).isEqualTo("comporta");
    assertThat(answer.getStatus()).isEqualTo(Status.UP);
    assertThat(answer.getData()).isEmpty();
  }

  /** Or else WildFly, which looks from a module of its own, does not see it. */
  @Test
  void theCheckBelongsToAnArchiveOfTheApplication() {
    assertThat(container.getBeanManager().getBeans(HealthCheck.class, Readiness.Literal.INSTANCE))
        .singleElement()
        .satisfies(bean -> assertThat(bean.getBeanClass()).isNotEqualTo(HealthExtension.class));
  }

  @Test
  void healthIsUpWhenTheStoreIsAwayOrBreaksLater() {
    for (Condition condition : List.of(Condition.WORKING, Condition.AWAY, Condition.FAULTY)) {
      try (Observers observers =
          Observers.open(Stores.shared("books", condition), List.of(), () -> 1)) {
        assertThat(observers.isEmpty()).isFalse();

        assertThat(health().getStatus()).as(condition.name()).isEqualTo(Status.UP);
      }
    }
  }

  @Test
  void healthIsDownWhileOneStoreHasNeverBeenUsable() {
    try (Observers books = Observers.open(Stores.inMemory("books"), List.of(), () -> 1);
        Observers orders =
            Observers.open(Stores.shared("orders", Condition.UNUSABLE), List.of(), () -> 1)) {
      assertThat(List.of(books, orders)).hasSize(2);

      HealthCheckResponse answer = health();

      assertThat(answer.getStatus()).isEqualTo(Status.DOWN);
      assertThat(answer.getData())
          .get(map(String.class, Object.class))
          .containsEntry("books.store", "memory")
          .containsEntry("books.condition", "working")
          .containsEntry("orders.store", "shared")
          .containsEntry("orders.condition", "unusable");
    }
    assertThat(health().getStatus()).isEqualTo(Status.UP);
  }

  private HealthCheckResponse health() {
    return container.select(HealthCheck.class, Readiness.Literal.INSTANCE).get().call();
  }
}
