package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IneffectiveAnnotationsTest {

  private static final String HERE = IneffectiveAnnotationsTest.class.getName() + "$";

  static class Leaf {
    @GET
    @RateLimited("1/1m")
    public void get() {}
  }

  @Path("locating")
  static class Locating {
    @RateLimited("1/1m")
    @Path("leaf")
    public Leaf leaf() {
      return new Leaf();
    }

    @RateLimitExempt
    @Path("any")
    public Object any() {
      return new Leaf();
    }

    @GET
    @Path("get")
    @RateLimited("1/1m")
    public void get() {}
  }

  @Test
  void tellsALocatorWithTheSubResourceToAnnotate() {
    String ignored =
        "a sub-resource locator's own annotations are ignored; annotate the methods or class of the"
            + " sub-resource";

    assertThat(faults(Locating.class, Leaf.class))
        .containsExactly(
            "@RateLimitExempt has no effect: " + ignored + " (" + HERE + "Locating#any())",
            "@RateLimited has no effect: " + ignored + " Leaf (" + HERE + "Locating#leaf())");
  }

  interface LocatingInterface {
    @RateLimited("1/1m")
    @Path("leaf")
    Leaf leaf();
  }

  static class LocatingByInterface implements LocatingInterface {
    @Override
    public Leaf leaf() {
      return new Leaf();
    }
  }

  @Test
  void tellsALocatorOfAnInterface() {
    assertThat(faults(LocatingByInterface.class))
        .singleElement()
        .asString()
        .contains("sub-resource Leaf", HERE + "LocatingInterface#leaf()");
  }

  @Path("locators")
  @RateLimited("1/1m")
  static class OnlyLocators {
    @Path("leaf")
    public Leaf leaf() {
      return new Leaf();
    }
  }

  @Path("locators")
  @RateLimited("1/1m")
  static class LocatorAndMethod extends OnlyLocators {
    @GET
    public void get() {}
  }

  @Test
  void tellsAClassThatHasOnlyLocators() {
    assertThat(faults(OnlyLocators.class))
        .containsExactly(
            "@RateLimited has no effect: the class has only sub-resource locators, which are not"
                + " limited; annotate the methods or classes of the sub-resources ("
                + HERE
                + "OnlyLocators)");
    assertThat(faults(LocatorAndMethod.class)).isEmpty();
  }

  static class Unanswering {
    @RateLimited("1/1m")
    public void forgotten() {}

    @GET
    @RateLimited("1/1m")
    void hidden() {}

    @GET
    @RateLimited("1/1m")
    public static void ofClass() {}

    @GET
    @RateLimited("1/1m")
    public void fine() {}
  }

  @Test
  void tellsMethodsThatAnswerNoRequests() {
    assertThat(faults(Unanswering.class))
        .satisfiesExactly(
            forgotten -> assertThat(forgotten).contains("such as @GET", "#forgotten()"),
            hidden -> assertThat(hidden).contains("make it public", "#hidden()"),
            ofClass -> assertThat(ofClass).contains("must not be static", "#ofClass()"));
  }

  @RateLimited("1/1m")
  static class Service {
    public void serve() {}
  }

  @Test
  void tellsAClassThatIsNoResourceWhateverTheAnnotation() {
    assertThat(faults(Service.class))
        .singleElement()
        .asString()
        .contains("no resource methods", HERE + "Service)");
    assertThat(faults(ComposedService.class))
        .singleElement()
        .asString()
        .contains("@RateLimitExempt has no effect");
  }

  @RateLimitExempt
  @Retention(RetentionPolicy.RUNTIME)
  @interface Free {}

  @Free
  static class ComposedService {}

  @RateLimited("2/1m")
  static class Base {
    @RateLimited("3/1m")
    protected void overridden() {}
  }

  static class Derived extends Base {
    @GET
    @Override
    public void overridden() {}
  }

  @Test
  void takesWhatAResourceInheritsInAnyOrder() {
    assertThat(faults(Base.class, Derived.class)).isEmpty();
    assertThat(faults(Derived.class, Base.class)).isEmpty();
    assertThat(faults(Base.class)).hasSize(2);
  }

  @RateLimited("2/1m")
  abstract static class ForSubResources {}

  @RateLimited("2/1m")
  interface AlsoForSubResources {}

  static class Root extends ForSubResources implements AlsoForSubResources {
    @Path("leaf")
    public Leaf leaf() {
      return new Leaf();
    }
  }

  @Test
  void leavesAloneWhatAnUnknownSubResourceMayInherit() {
    assertThat(faults(ForSubResources.class, AlsoForSubResources.class, Free.class, Root.class))
        .isEmpty();
  }

  @RateLimited
  static class OwnFilter implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext request) {}
  }

  @Test
  void leavesAloneAFilterThatIsBoundByTheAnnotation() {
    assertThat(faults(OwnFilter.class)).isEmpty();
  }

  abstract static class Invisible<T> {
    @GET
    @RateLimited("1/1m")
    public void get() {}

    @PUT
    @RateLimited("1/1m")
    public abstract void put(T item);
  }

  /** The compiler gives it bridges: one for the type argument, one for the hidden superclass. */
  public static class Visible extends Invisible<String> {
    @Override
    public void put(String item) {}
  }

  @Test
  void takesNoBridgeForAMethodOfItsOwn() {
    assertThat(Visible.class.getDeclaredMethods()).anyMatch(java.lang.reflect.Method::isBridge);
    assertThat(faults(Visible.class)).isEmpty();
    assertThat(ResourceMethods.resourceMethods(Visible.class))
        .extracting(Place::label)
        .containsExactlyInAnyOrder("get()", "put(String)");
  }

  private static List<String> faults(Class<?>... classes) {
    PolicyCatalog catalog = new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
    for (Class<?> type : classes) {
      catalog.discoverAll(type);
    }
    return catalog.faults().stream().map(PolicyFault::toString).toList();
  }
}
