package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.testing.LimitsUnderTest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ResourceConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the how-to pages show does what they say: their resources under their settings. */
class HowToTest {

  @TempDir Path classes;
  @TempDir Path files;

  private final Client client = ClientBuilder.newClient();
  private final ResourceConfig application = new ResourceConfig();

  @SuppressWarnings("NullAway.Init")
  private URLClassLoader loader;

  /** What a page speaks of and does not show. */
  @jakarta.ws.rs.Path("search")
  public static class Search {

    /** The policy that pages change. */
    @GET
    @RateLimited(value = "1/1m", policy = "search")
    public String search() {
      return "[]";
    }
  }

  @BeforeEach
  void lookWhereSnippetsAreCompiledTo() {
    loader = Snippets.loader(classes);
    application.register(new ServletRequests());
    new LimitsUnderTest().applyTo(application); // time stands still
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    loader.close();
  }

  @Test
  void anAlgorithmIsChosenInAnnotationsAndInConfiguration() {
    try (JerseyPage page = deploy("choose-an-algorithm")) {
      Response list = request(page, "catalogue").get();
      Response search = request(page, "catalogue/search").get();
      Response export = request(page, "catalogue/export").get();

      assertThat(list.getHeaderString("X-RateLimit-Limit")).isEqualTo("20");
      assertThat(search.getHeaderString("RateLimit-Policy"))
          .isEqualTo("\"search-1s\";q=20;w=1, \"search-1m\";q=100;w=60");
      assertThat(export.getHeaderString("RateLimit-Policy"))
          .startsWith("\"export-1s\";q=2;w=1, \"export-day\";q=1500;");
      assertThat(statuses(6, request(page, "catalogue/messages"), Entity.text("")))
          .containsExactly(204, 204, 204, 204, 204, 429);
    }
  }

  @Test
  void requestsPayWhatTheyCost() {
    try (JerseyPage page = deploy("charge-what-requests-cost")) {
      Response rows =
          client.target(page.base()).path("reports/rows").queryParam("limit", 70).request().get();

      assertThat(remaining(request(page, "reports").get())).isEqualTo("90");
      assertThat(remaining(rows)).isEqualTo("9930");
    }
  }

  @Test
  void aLanguageModelIsPaidByItsTokens() {
    try (JerseyPage page = deploy("charge-what-requests-cost")) {
      Invocation.Builder completions = request(page, "completions");

      assertThat(remaining(completions.post(Entity.text("x".repeat(100))))).isEqualTo("99800");
      assertThat(remaining(completions.post(Entity.text("x".repeat(400))))).isEqualTo("99000");
    }
  }

  @Test
  void onlyLoginsThatFailAreCharged() {
    try (JerseyPage page = deploy("charge-what-requests-cost")) {
      List<Integer> statuses = new ArrayList<>();
      for (String password : List.of("sluice", "1", "2", "sluice", "3", "4", "5", "sluice")) {
        Invocation.Builder login = request(page, "accounts/ana/login");
        statuses.add(login.header("X-Password", password).post(Entity.text("")).getStatus());
      }

      assertThat(statuses).containsExactly(204, 401, 401, 204, 401, 401, 401, 429);
    }
  }

  @Test
  void aTierIsGivenByItsKey() {
    try (JerseyPage page = deploy("give-customers-tiers")) {
      Response nobody = request(page, "search").get();
      Response partner = request(page, "search").header("X-API-Key", "acme-key").get();

      assertThat(nobody.getHeaderString("X-RateLimit-Limit")).isEqualTo("100");
      assertThat(partner.getHeaderString("X-RateLimit-Limit")).isEqualTo("5000");
      assertThat(request(page, "documents").get().getStatus()).isEqualTo(200);
    }
  }

  @Test
  void aRefusalHasTheBodyOfTheApplication() throws IOException {
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(services.resolve("dev.comporta.server.api.RefusalBody"), "CompanyBody");
    application.register(Search.class);
    try (JerseyPage page = deploy("answer-refusals-your-way")) {
      assertThat(request(page, "search").get().getStatus()).isEqualTo(200);
      Response refused = request(page, "search").get();

      assertThat(refused.getStatus()).isEqualTo(429);
      assertThat(refused.getMediaType()).isEqualTo(MediaType.TEXT_HTML_TYPE);
      assertThat(refused.readEntity(String.class)).contains("Try again in ");
      assertThat(refused.getHeaderString("Retry-After")).isNotBlank();
    }
  }

  @Test
  void operatorsChangeWhatRuns() {
    application.register(Search.class);
    try (JerseyPage page = deploy("change-limits-while-running")) {
      assertThat(request(page, "search").get().getStatus()).isEqualTo(200);
      assertThat(request(page, "search").get().getStatus()).isEqualTo(200); // in shadow mode
      String operators = "operators/limits/ana";

      assertThat(request(page, operators).get().getStatus()).isEqualTo(200);
      assertThat(request(page, operators).delete().getStatus()).isEqualTo(204);
      assertThat(statuses(1, request(page, operators + "/permits"), Entity.text("")))
          .containsExactly(204);
      for (String path : List.of("/block", "/narrow")) {
        assertThat(request(page, operators + path).put(Entity.text("")).getStatus()).isEqualTo(204);
      }
      String left = request(page, operators + "/block").get(String.class);
      assertThat(Duration.parse(left)).isPositive().isLessThanOrEqualTo(Duration.ofHours(1));
    }
  }

  @Test
  void aFileOfSettingsIsReadAnew() throws ReflectiveOperationException, IOException {
    Path page = Snippets.page("docs/how-to/change-limits-while-running.md");
    assertThat(Snippets.errors(page, classes)).isEmpty();
    Path file = files.resolve("limits.properties");
    System.setProperty("limits.file", file.toString());
    try {
      ConfigSource source =
          (ConfigSource) loader.loadClass("LimitsFile").getConstructor().newInstance();
      assertThat(source.getPropertyNames()).isEmpty();

      Files.writeString(file, "comporta.policies.search.limits=9/1m");

      assertThat(source.getValue("comporta.policies.search.limits")).isEqualTo("9/1m");
    } finally {
      System.clearProperty("limits.file");
    }
  }

  @Test
  void whereNoSocketTellsAnAddressNobodyIsKnownUntilTheyShare() throws Exception {
    assertThat(statusWithoutASocket()).isEqualTo(403);

    System.setProperty("comporta.unknown-caller", "share");
    try {
      assertThat(statusWithoutASocket()).isEqualTo(200);
    } finally {
      System.clearProperty("comporta.unknown-caller");
    }
  }

  private static int statusWithoutASocket() throws Exception {
    ApplicationHandler handler = new ApplicationHandler(new ResourceConfig(Search.class));
    ContainerRequest request =
        new ContainerRequest(
            URI.create("http://localhost/"),
            URI.create("http://localhost/search"),
            "GET",
            new Anonymous(),
            new MapPropertiesDelegate(),
            handler.getConfiguration());
    return handler.apply(request).get().getStatus();
  }

  private record Anonymous() implements SecurityContext {

    @Override
    public @Nullable Principal getUserPrincipal() {
      return null;
    }

    @Override
    public boolean isUserInRole(String role) {
      return false;
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public @Nullable String getAuthenticationScheme() {
      return null;
    }
  }

  private JerseyPage deploy(String name) {
    Path page = Snippets.page("docs/how-to/" + name + ".md");
    assertThat(Snippets.errors(page, classes)).isEmpty();
    return JerseyPage.of(page, loader, application);
  }

  private Invocation.Builder request(JerseyPage page, String path) {
    return client.target(page.base()).path(path).request();
  }

  private static List<Integer> statuses(int times, Invocation.Builder request, Entity<?> entity) {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(request.post(entity).getStatus());
    }
    return statuses;
  }

  private static String remaining(Response answer) {
    return String.valueOf(answer.getHeaderString("X-RateLimit-Remaining"));
  }
}
