package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyCatalogTest {

  @RateLimited("10/1m")
  static class Books {
    @GET
    @RateLimited("5/1m")
    public void own() {}

    @GET
    public void ofClass() {}

    @POST
    public void alsoOfClass() {}

    @GET
    @RateLimited(cost = 3)
    public void costly() {}

    @GET
    @RateLimitExempt
    public void exempt() {}

    @GET
    @RateLimited(policy = "search", value = "7/1m", cost = 2)
    public void search() {}

    @GET
    @RateLimited(policy = "search")
    public void searchToo(String words) {}

    @GET
    @RateLimited(
        limits = {
          @Limit(value = "10/1s", algorithm = Algorithm.SLIDING_WINDOW_COUNTER, by = By.ADDRESS),
          @Limit(value = "100/1h", burst = 20, by = By.EVERYONE)
        })
    public void detailed() {}
  }

  @Test
  void takesTheNearestAnnotation() {
    assertThat(limits(Books.class, "own")).containsExactly(LimitSpec.parse("5/1m"));
    assertThat(limits(Books.class, "ofClass")).containsExactly(LimitSpec.parse("10/1m"));
    assertThat(resolve(Books.class, "exempt")).isEqualTo(new Resolution.Exempt());
  }

  @Test
  void sharesThePolicyOfAClassAmongItsMethods() {
    Policy policy = binding(Books.class, "ofClass").policy();

    assertThat(policy.name()).isEqualTo("PolicyCatalogTest.Books.*");
    assertThat(policy.isShared()).isFalse();
    assertThat(binding(Books.class, "alsoOfClass").policy()).isEqualTo(policy);
  }

  @Test
  void inheritsThePolicyWhenOnlyTheCostIsStated() {
    PolicyBinding costly = binding(Books.class, "costly");

    assertThat(costly.policy()).isEqualTo(binding(Books.class, "ofClass").policy());
    assertThat(costly.cost()).isEqualTo(3);
  }

  @Test
  void sharesANamedPolicyWhoeverStatesItsLimits() {
    assertThat(binding(Books.class, "search").policy())
        .isEqualTo(binding(Books.class, "searchToo").policy())
        .isEqualTo(
            new Policy("search", List.of(LimitSpec.parse("7/1m")), java.util.Map.of(), true));
    assertThat(binding(Books.class, "search").cost()).isEqualTo(2);
    assertThat(binding(Books.class, "searchToo").cost()).isEqualTo(1);
  }

  @Test
  void doesNotDependOnTheOrderOfDiscovery() {
    for (boolean isReversed : new boolean[] {false, true}) {
      PolicyCatalog catalog = catalog();
      List<String> names =
          isReversed ? List.of("searchToo", "search") : List.of("search", "searchToo");
      names.forEach(name -> catalog.discover(Books.class, method(Books.class, name)));

      assertThat(catalog.faults()).isEmpty();
      assertThat(catalog.sharedPolicies()).extracting(Policy::name).containsExactly("search");
    }
  }

  @Test
  void readsEveryPartOfALimit() {
    assertThat(limits(Books.class, "detailed"))
        .containsExactly(
            LimitSpec.parse("10/1s")
                .countedBy(Algorithm.SLIDING_WINDOW_COUNTER)
                .perEach(By.ADDRESS),
            LimitSpec.parse("100/1h").withBurst(20).perEach(By.EVERYONE));
  }

  interface Legible {
    @GET
    @RateLimited("3/1m")
    void read(String id);
  }

  @RateLimited("4/1m")
  interface Marked {
    @GET
    void mark();
  }

  @RateLimited("2/1m")
  static class Base {
    @GET
    @RateLimited("1/1m")
    public void overridden() {}

    @GET
    public void inherited() {}
  }

  static class Derived extends Base implements Legible, Marked {
    @Override
    public void overridden() {}

    @Override
    public void read(String id) {}

    @Override
    public void mark() {}
  }

  static class OnlyMarked implements Marked {
    @Override
    public void mark() {}
  }

  @Test
  void findsTheAnnotationOfAnOverriddenMethod() {
    assertThat(limits(Derived.class, "overridden")).containsExactly(LimitSpec.parse("1/1m"));
    assertThat(limits(Derived.class, "read")).containsExactly(LimitSpec.parse("3/1m"));
    assertThat(binding(Derived.class, "read").policy().name())
        .isEqualTo("PolicyCatalogTest.Derived.read(String)");
  }

  @Test
  void findsTheAnnotationOfSuperclassesBeforeThatOfInterfaces() {
    assertThat(limits(Derived.class, "inherited")).containsExactly(LimitSpec.parse("2/1m"));
    assertThat(limits(Derived.class, "mark")).containsExactly(LimitSpec.parse("2/1m"));
    assertThat(limits(OnlyMarked.class, "mark")).containsExactly(LimitSpec.parse("4/1m"));
  }

  @Test
  void resolvesTheMethodOfTheInterfaceLikeThatOfTheClass() throws Exception {
    Method ofInterface = Legible.class.getMethod("read", String.class);

    assertThat(catalog().resolve(Derived.class, ofInterface))
        .isEqualTo(resolve(Derived.class, "read"));
  }

  interface Storing<T> {
    @PUT
    @RateLimited("8/1m")
    void store(T item);
  }

  static class Shelf implements Storing<String> {
    @Override
    public void store(String item) {}
  }

  @Test
  void seesThroughBridgesOfGenericInterfaces() throws Exception {
    Method ofInterface = Storing.class.getMethod("store", Object.class);
    Method bridge = Shelf.class.getMethod("store", Object.class);
    Method own = Shelf.class.getMethod("store", String.class);

    for (Method shown : List.of(ofInterface, bridge, own)) {
      Resolution resolution = catalog().resolve(Shelf.class, shown);
      assertThat(((Resolution.Limited) resolution).binding().policy())
          .isEqualTo(
              new Policy(
                  "PolicyCatalogTest.Shelf.store(String)",
                  List.of(LimitSpec.parse("8/1m")),
                  java.util.Map.of(),
                  false));
    }
  }

  @RateLimited("6/1m")
  @Retention(RetentionPolicy.RUNTIME)
  @interface Slow {}

  @Slow
  @Cycle
  @Retention(RetentionPolicy.RUNTIME)
  @interface VerySlow {}

  @VerySlow
  @Retention(RetentionPolicy.RUNTIME)
  @interface Cycle {}

  @RateLimitExempt
  @Retention(RetentionPolicy.RUNTIME)
  @interface Free {}

  @Slow
  @Inherited
  @Retention(RetentionPolicy.RUNTIME)
  @interface SlowForAll {}

  static class Composed {
    @GET
    @Slow
    public void once() {}

    @GET
    @VerySlow
    public void twice() {}

    @GET
    @Cycle
    public void cyclic() {}

    @GET
    @Free
    public void free() {}

    @GET
    @Slow
    @RateLimited("1/1m")
    public void both() {}
  }

  @SlowForAll
  static class ComposedClass {
    @GET
    public void any() {}
  }

  static class ComposedSubclass extends ComposedClass {}

  @Test
  void findsComposedAnnotationsHoweverDeep() {
    for (String name : List.of("once", "twice", "cyclic")) {
      assertThat(limits(Composed.class, name)).containsExactly(LimitSpec.parse("6/1m"));
    }
    assertThat(resolve(Composed.class, "free")).isEqualTo(new Resolution.Exempt());
    assertThat(limits(Composed.class, "both")).containsExactly(LimitSpec.parse("1/1m"));
    assertThat(limits(ComposedSubclass.class, "any")).containsExactly(LimitSpec.parse("6/1m"));
  }

  static class Silent {
    @GET
    public void any() {}

    @GET
    @RateLimited(cost = 4)
    public void costly() {}
  }

  @RateLimited("9/1m")
  static class LimitedApplication extends Application {}

  @RateLimitExempt
  static class ExemptResource {
    @GET
    public void exempt() {}

    @GET
    @RateLimited(cost = 4)
    public void limited() {}
  }

  @Test
  void isUnlimitedWhereNothingIsSaid() {
    assertThat(resolve(Silent.class, "any")).isEqualTo(new Resolution.Unlimited());
  }

  @Test
  void fallsBackToTheApplicationWithOnePolicyForAll() {
    PolicyCatalog catalog =
        new PolicyCatalog(ConfiguredPolicies.NONE, Optional.of(LimitedApplication.class));

    PolicyBinding any = binding(catalog, Silent.class, "any");
    PolicyBinding costly = binding(catalog, Silent.class, "costly");
    PolicyBinding limited = binding(catalog, ExemptResource.class, "limited");

    assertThat(any.policy().name()).isEqualTo("PolicyCatalogTest.LimitedApplication.*");
    assertThat(costly).isEqualTo(new PolicyBinding(any.policy(), 4));
    assertThat(limited).isEqualTo(costly);
    assertThat(catalog.resolve(ExemptResource.class, method(ExemptResource.class, "exempt")))
        .isEqualTo(new Resolution.Exempt());
  }

  static class Books$Proxy$_$$_WeldSubclass extends Books {
    @Override
    public void own() {}
  }

  @Test
  void seesThroughProxyClasses() {
    assertThat(resolve(Books$Proxy$_$$_WeldSubclass.class, "own"))
        .isEqualTo(resolve(Books.class, "own"));
    assertThat(resolve(Books$Proxy$_$$_WeldSubclass.class, "ofClass"))
        .isEqualTo(resolve(Books.class, "ofClass"));
  }

  @Test
  void seesThroughProxiesOfInterfaces() throws Exception {
    InvocationHandler none = (proxy, method, arguments) -> null;
    Class<?> proxy =
        Proxy.newProxyInstance(Legible.class.getClassLoader(), new Class<?>[] {Legible.class}, none)
            .getClass();

    Resolution resolution = catalog().resolve(proxy, Legible.class.getMethod("read", String.class));

    assertThat(((Resolution.Limited) resolution).binding().policy().name())
        .isEqualTo("PolicyCatalogTest.Legible.read(String)");
  }

  @SuppressWarnings("UnicodeInCode")
  static class Overloaded {
    @GET
    @RateLimited("1/1m")
    public void get(String id) {}

    @GET
    @RateLimited("1/1m")
    public void get(String[] ids, int count) {}

    @GET
    @RateLimited("1/1m")
    public void get(java.util.Date day) {}

    @GET
    @RateLimited("1/1m")
    public void get(java.sql.Date day) {}

    @GET
    @RateLimited("1/1m")
    public void größe() {}
  }

  @Test
  void tellsOverloadsApartInPrintableNames() {
    PolicyCatalog catalog = catalog();

    List<String> names =
        Arrays.stream(Overloaded.class.getDeclaredMethods())
            .map(method -> ((Resolution.Limited) catalog.resolve(Overloaded.class, method)))
            .map(limited -> limited.binding().policy().name())
            .toList();

    assertThat(names)
        .containsExactlyInAnyOrder(
            "PolicyCatalogTest.Overloaded.get(String)",
            "PolicyCatalogTest.Overloaded.get(String[],int)",
            "PolicyCatalogTest.Overloaded.get(java.util.Date)",
            "PolicyCatalogTest.Overloaded.get(java.sql.Date)",
            "PolicyCatalogTest.Overloaded.gr_x00f6_x00dfe()");
  }

  interface Found {
    @GET
    void found();
  }

  @Path("/")
  static class Mixed implements Found {
    @Override
    @RateLimited("1/1m")
    public void found() {}

    public void notAResourceMethod() {}

    @Path("more")
    public Books more() {
      return new Books();
    }
  }

  @Test
  void discoversTheResourceMethodsOfAClass() {
    PolicyCatalog catalog = catalog();

    catalog.discoverAll(Mixed.class);
    catalog.discoverAll(Books.class);
    catalog.discoverAll(Books.class);

    assertThat(catalog.faults()).isEmpty();
    assertThat(catalog.sharedPolicies()).extracting(Policy::name).containsExactly("search");
  }

  private static List<LimitSpec> limits(Class<?> resource, String name) {
    return binding(resource, name).policy().limits();
  }

  private static PolicyBinding binding(Class<?> resource, String name) {
    PolicyCatalog catalog = catalog();
    catalog.discoverAll(resource);
    return binding(catalog, resource, name);
  }

  private static PolicyBinding binding(PolicyCatalog catalog, Class<?> resource, String name) {
    return ((Resolution.Limited) catalog.resolve(resource, method(resource, name))).binding();
  }

  private static Resolution resolve(Class<?> resource, String name) {
    return catalog().resolve(resource, method(resource, name));
  }

  private static PolicyCatalog catalog() {
    return new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
  }

  private static Method method(Class<?> resource, String name) {
    return Arrays.stream(resource.getMethods())
        .filter(method -> method.getName().equals(name) && !method.isBridge())
        .findFirst()
        .orElseThrow();
  }
}
