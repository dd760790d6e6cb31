package dev.comporta.server.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.Quota;
import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimitListener;
import dev.comporta.server.api.RateLimits;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WithWeldTest {

  private static final RateLimitEvent.Refused REFUSED =
      new RateLimitEvent.Refused(
          "search",
          Optional.empty(),
          Optional.empty(),
          1,
          "search-1m",
          Optional.of(Duration.ofSeconds(1)));
  private static final RateLimitEvent.Allowed ALLOWED =
      new RateLimitEvent.Allowed("search", Optional.empty(), Optional.empty(), 1);

  @ApplicationScoped
  public static class Prices {}

  @Dependent
  public static class Cost {

    @Inject Prices prices;
  }

  @Dependent
  public static class SpecialCost extends Cost {}

  public interface Rule {}

  @Dependent
  public static class OneRule implements Rule {}

  @Dependent
  public static class OtherRule implements Rule {}

  @Dependent
  public static class Broken {

    public Broken() {
      throw new IllegalStateException("no table of prices");
    }
  }

  @ApplicationScoped
  public static class Listening implements RateLimitListener {

    @Override
    public void on(RateLimitEvent event) {}
  }

  @ApplicationScoped
  public static class Observing {

    private final List<RateLimitEvent> heard = new ArrayList<>();

    void onRefused(@Observes RateLimitEvent.Refused refused) {
      heard.add(refused);
    }

    void onTrouble(@ObservesAsync RateLimitEvent.StoreTrouble trouble) {
      heard.add(trouble);
    }

    List<RateLimitEvent> heard() {
      return heard;
    }
  }

  @ApplicationScoped
  public static class Support {

    @Inject RateLimits limits;

    List<Quota> peek() {
      return limits.peek(Caller.of("principal", "ann"));
    }
  }

  @AutoClose private WeldContainer container;

  @BeforeEach
  void start() {
    container =
        start(
            Prices.class,
            Cost.class,
            SpecialCost.class,
            OneRule.class,
            OtherRule.class,
            Broken.class,
            Listening.class,
            Observing.class,
            Support.class);
  }

  private static WeldContainer start(Class<?>... beans) {
    return new Weld().addBeanClasses(beans).initialize();
  }

  @Test
  void givesTheBeanWithWhatIsInjectedIntoIt() {
    assertThat(Beans.of(SpecialCost.class).prices).isNotNull();
    assertThat(Beans.one(Prices.class)).isPresent();
  }

  @Test
  void prefersTheBeanOfThatVeryClassToThoseOfItsSubclasses() {
    assertThat(Beans.of(Cost.class)).isExactlyInstanceOf(Cost.class);
  }

  @Test
  void makesAnObjectWhenTheClassIsNoBean() {
    assertThat(Beans.of(BeansTest.Plain.class)).isInstanceOf(BeansTest.Plain.class);
  }

  @Test
  void refusesToChooseAmongBeans() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Beans.of(Rule.class))
        .withMessage(Rule.class.getName() + " must be one bean, but there are 2");
    assertThat(Beans.one(Rule.class)).isEmpty();
    assertThat(Beans.all(Rule.class)).hasSize(2);
  }

  @Test
  void saysThatABeanCannotBeMade() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Beans.of(Broken.class))
        .withMessageStartingWith(Broken.class.getName() + " could not be made: ")
        .withMessageContaining("no table of prices");
  }

  @Test
  void findsListenersAndTheirClasses() {
    assertThat(Beans.all(RateLimitListener.class)).hasSize(1);
    assertThat(Beans.classesOf(RateLimitListener.class)).containsExactly(Listening.class);
  }

  @Test
  void firesEventsOfTheirOwnClassToObserverMethods() {
    RateLimitListener bridge = Beans.observerMethods().orElseThrow();

    bridge.on(REFUSED);
    bridge.on(ALLOWED);
    bridge.on(new RateLimitEvent.StoreTrouble("search", true));

    assertThat(container.select(Observing.class).get().heard()).containsExactly(REFUSED);
  }

  @Test
  void firesNothingWhenNothingIsObserved() {
    container.close();
    container = start(Prices.class);

    assertThat(Beans.observerMethods()).isEmpty();
  }

  @Test
  void knowsEveryEvent() {
    assertThat(ObserverMethods.samples().stream().map(Object::getClass))
        .containsExactlyInAnyOrderElementsOf(
            records(RateLimitEvent.class).<Class<?>>map(type -> type).toList());
  }

  private static Stream<Class<?>> records(Class<?> type) {
    return type.isRecord()
        ? Stream.of(type)
        : Stream.of(type.getPermittedSubclasses()).flatMap(WithWeldTest::records);
  }

  @Test
  void injectsTheLimitsOfTheOneApplication() {
    Support support = container.select(Support.class).get();
    assertThatIllegalStateException()
        .isThrownBy(support::peek)
        .withMessageContaining("before the Jakarta REST application has started");

    try (Registry.Registration books = InjectedLimits.register(new NoLimits())) {
      assertThat(books).isNotNull();
      assertThat(support.peek()).isEmpty();
    }

    assertThatIllegalStateException().isThrownBy(support::peek);
  }

  @Test
  void refusesToChooseAmongApplications() {
    Support support = container.select(Support.class).get();
    Registry.Registration books = InjectedLimits.register(new NoLimits());
    Registry.Registration orders = InjectedLimits.register(new NoLimits());

    assertThatIllegalStateException()
        .isThrownBy(support::peek)
        .withMessage(
            "RateLimits must be of one Jakarta REST application, but this deployment has 2: use"
                + " RateLimits.of(configuration) instead of injection");

    orders.close();
    assertThatCode(support::peek).doesNotThrowAnyException();
    books.close();
  }

  /** Knows no caller. */
  private static final class NoLimits implements RateLimits {

    @Override
    public List<Quota> peek(Caller caller) {
      return List.of();
    }

    @Override
    public void reset(Caller caller) {}

    @Override
    public void reset(String policy, Caller caller) {}

    @Override
    public void grant(String policy, Caller caller, long permits) {}

    @Override
    public void block(Caller caller, Duration duration) {}

    @Override
    public void unblock(Caller caller) {}

    @Override
    public Optional<Duration> blockedFor(Caller caller) {
      return Optional.empty();
    }

    @Override
    public void change(String policy, List<String> limits) {}

    @Override
    public void revert(String policy) {}
  }
}
