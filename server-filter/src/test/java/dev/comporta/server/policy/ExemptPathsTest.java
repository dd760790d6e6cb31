package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExemptPathsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/books | /books | true",
        "books/ | //books// | true",
        "/books | /books/{id} | false",
        "/books/{id} | /books/{ id : \\d{1,3} } | true",
        "/books/{id} | /books/{id: [a-z/]+} | true",
        "/books/{id} | /books/{name} | false",
        "/books/{id} | /books/7 | false",
        "/a/{x}-{y} | /a/{x: \\w}-{y} | true",
        "/internal/* | /internal | true",
        "/internal/* | /internal/a/{b}/c | true",
        "/internal/* | /internals | false",
        "/internal/* | /public/internal | false",
        "/Books | /books | false",
        "/ | / | true",
        "/ | /books | false"
      })
  void comparesTemplatesInOneSpelling(String template, String path, boolean isExempt) {
    assertThat(ExemptPaths.of(List.of(template)).isChosen(PathTemplate.segments(path)))
        .isEqualTo(isExempt);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/a/*/b", "/a*", "/a/**", "/a?b", "/a#b", "/a b", "/a/{b", "/a/b}", "/{a}}"})
  void refusesWhatIsNoTemplate(String text) {
    assertThatThrownBy(() -> ExemptPaths.of(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must be a path as @Path writes it")
        .hasMessageEndingWith("was '" + text + "'");
  }

  @Test
  void refusesAllPathsAtOnce() {
    assertThatThrownBy(() -> ExemptPaths.of(List.of("/*"))).hasMessageContaining("comporta.mode");
    assertThatThrownBy(() -> ExemptPaths.of(List.of("*"))).hasMessageContaining("comporta.mode");
  }

  @Path("books")
  static class Books {
    @GET
    @Path("{id: [0-9]+}")
    @RateLimited("10/1m")
    public void one() {}

    @GET
    @RateLimited("10/1m")
    public void all() {}

    @GET
    @Path("faulty")
    @RateLimited(value = "10/1m", cost = 11)
    public void faulty() {}
  }

  @Test
  void exemptsWhatTheOperatorChoosesThoughTheMethodIsAnnotated() throws Exception {
    PolicyCatalog catalog = catalog(Optional.empty(), "/books/{id}");

    assertThat(catalog.resolve(Books.class, Books.class.getMethod("one")))
        .isEqualTo(new Resolution.Exempt());
    assertThat(catalog.resolve(Books.class, Books.class.getMethod("all")))
        .isInstanceOf(Resolution.Limited.class);
  }

  @Test
  void tellsFaultsOfExemptResourcesToo() {
    PolicyCatalog catalog = catalog(Optional.empty(), "/books/*");
    catalog.discoverAll(Books.class);

    assertThat(catalog.faults()).singleElement().asString().contains("Books#faulty()");
  }

  @RateLimited("100/1m")
  static class Limiting {}

  @Path("health")
  static class Probe {
    @GET
    @Path("live")
    public void live() {}

    @GET
    @RateLimited("10/1m")
    public void limited() {}

    @GET
    @Path("costly")
    @RateLimited(cost = 2)
    public void costly() {}
  }

  @Path("metrics")
  @RateLimited("10/1m")
  static class LimitedProbe {
    @GET
    public void metrics() {}
  }

  @Test
  void exemptsProbesFromTheLimitsOfTheApplicationAlone() throws Exception {
    PolicyCatalog catalog = catalog(Optional.of(Limiting.class));

    assertThat(catalog.resolve(Probe.class, Probe.class.getMethod("live")))
        .isEqualTo(new Resolution.Exempt());
    assertThat(catalog.resolve(Probe.class, Probe.class.getMethod("limited")))
        .isInstanceOf(Resolution.Limited.class);
    assertThat(catalog.resolve(Probe.class, Probe.class.getMethod("costly")))
        .isInstanceOf(Resolution.Limited.class);
    assertThat(catalog.resolve(LimitedProbe.class, LimitedProbe.class.getMethod("metrics")))
        .isInstanceOf(Resolution.Limited.class);
  }

  @Test
  void choosingAPathKeepsTheStandingOnes() throws Exception {
    PolicyCatalog catalog = catalog(Optional.of(Limiting.class), "/books/*");

    assertThat(catalog.resolve(Probe.class, Probe.class.getMethod("live")))
        .isEqualTo(new Resolution.Exempt());
  }

  static class SubResource {
    @GET
    @Path("{id}")
    @RateLimited("10/1m")
    public void one() {}
  }

  @Test
  void knowsNoPathOfASubResource() throws Exception {
    assertThat(
            catalog(Optional.empty(), "/{id}")
                .resolve(SubResource.class, SubResource.class.getMethod("one")))
        .isInstanceOf(Resolution.Limited.class);
  }

  @Test
  void warnsOfAChosenPathThatNoResourceHas() {
    PolicyCatalog catalog = catalog(Optional.empty(), "/books/*", "/bocks/{id}");
    catalog.discoverAll(Books.class);

    assertThat(catalog.warnings())
        .containsExactly(
            new PolicyFault(
                "comporta.exempt-paths",
                "no resource that is known has this path, was '/bocks/{id}'"));
  }

  private static PolicyCatalog catalog(Optional<Class<?>> application, String... exempt) {
    return new PolicyCatalog(
        ConfiguredPolicies.NONE.withExemptPaths(ExemptPaths.of(List.of(exempt))), application);
  }
}
