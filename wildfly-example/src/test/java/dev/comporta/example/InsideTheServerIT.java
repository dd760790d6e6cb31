package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.inject.Inject;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.Response;
import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example, tested by code that runs in the server, beside it. */
@ExtendWith(ArquillianExtension.class)
class InsideTheServerIT {

  @Inject Catalogue catalogue;

  @Inject
  @ConfigProperty(name = "comporta.policies.search.tiers.premium.limits")
  String premiumLimits;

  @ArquillianResource
  @SuppressWarnings("NullAway.Init")
  URL root;

  @Deployment
  static WebArchive example() throws URISyntaxException {
    File assertj =
        new File(Assertions.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return ExampleArchive.withKeys("it-inside").addAsLibraries(assertj);
  }

  @Test
  void theCatalogueIsACdiBean() {
    List<Book> found = catalogue.search("camoes");

    assertThat(found).extracting(Book::title).containsExactly("Os Lusíadas");
  }

  @Test
  void theServerReadsTheConfigurationInTheWar() {
    assertThat(premiumLimits).isEqualTo("1000/1m");
  }

  @Test
  void theServersOwnClientIsLimitedLikeAnyOther() throws URISyntaxException {
    try (Client client = ClientBuilder.newClient();
        Response answer =
            client
                .target(root.toURI())
                .path("api/books/mensagem")
                .request()
                .header("X-API-Key", "it-inside")
                .get()) {

      assertThat(answer.readEntity(String.class)).contains("Fernando Pessoa");
      assertThat(answer.getHeaderString("X-RateLimit-Limit")).isEqualTo("10");
      assertThat(answer.getHeaderString("X-RateLimit-Remaining")).isEqualTo("9");
    }
  }

  @Test
  void unreadableJsonIsTheCallersFault() throws URISyntaxException {
    try (Client client = ClientBuilder.newClient();
        Response answer =
            client.target(root.toURI()).path("api/login").request().post(Entity.json("{"))) {

      assertThat(answer.getStatus()).isEqualTo(400);
    }
  }

  @Test
  void nothingOfRedisRunsWhileUsageIsKeptInMemory() {
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.contains("redisson"));
  }
}
