package dev.comporta.server.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.comporta.server.api.RateLimitListener;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class BeansTest {

  public static class Plain {}

  public abstract static class Abstract {}

  static class Hidden {}

  @SuppressWarnings("ClassCanBeStatic") // the mistake that is tested
  public class Inner {}

  public static class WithParameter {

    final String parameter;

    public WithParameter(String parameter) {
      this.parameter = parameter;
    }
  }

  public static class Failing {

    public Failing() {
      throw new IllegalStateException("no table of prices");
    }
  }

  /** Asked in a class loader that does not see CDI. */
  public static class Probe implements Supplier<String> {

    @Override
    public String get() {
      return Beans.of(Plain.class).getClass().getSimpleName()
          + Beans.one(Plain.class).isPresent()
          + Beans.all(RateLimitListener.class).size()
          + Beans.classesOf(RateLimitListener.class).size()
          + Beans.observerMethods().isPresent();
    }
  }

  @Test
  void makesAnObjectByItsConstructorWhenNoContainerRuns() {
    assertThat(Beans.of(Plain.class)).isInstanceOf(Plain.class);
    assertThat(Beans.one(Plain.class)).isEmpty();
    assertThat(Beans.all(Plain.class)).isEmpty();
    assertThat(Beans.observerMethods()).isEmpty();
  }

  @Test
  void makesAnObjectByItsConstructorWhereThereIsNoCdi() throws Exception {
    Class<?> probe = new HidingLoader("jakarta.enterprise.").loadClass(Probe.class.getName());

    Object answer = ((Supplier<?>) probe.getConstructor().newInstance()).get();

    assertThat(answer).isEqualTo("Plainfalse00false");
  }

  @Test
  void saysWhyAClassCannotBeUsed() {
    assertUnusable(Abstract.class, "it is abstract");
    assertUnusable(RateLimitListener.class, "it is abstract");
    assertUnusable(Hidden.class, "it is not public");
    assertUnusable(Inner.class, "it is an inner class: make it static");
    assertUnusable(WithParameter.class, "it has no such constructor");
  }

  @Test
  void saysWhatAConstructorThrew() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Beans.of(Failing.class))
        .withMessage(
            Failing.class.getName()
                + " could not be made: java.lang.IllegalStateException: no table of prices")
        .withCauseExactlyInstanceOf(IllegalStateException.class);
  }

  private static void assertUnusable(Class<?> type, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Beans.of(type))
        .withMessage(
            type.getName()
                + " must be a bean, or public with a public constructor without parameters, but "
                + reason);
  }
}
