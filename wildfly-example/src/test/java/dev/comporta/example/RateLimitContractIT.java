package dev.comporta.example;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.contract.ContractApplication;
import dev.comporta.server.contract.ContractSettings;
import dev.comporta.server.contract.RateLimitContract;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpResponse;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.Filters;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of the filter on WildFly, without a line of registration. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class RateLimitContractIT extends RateLimitContract {

  @ArquillianResource
  @SuppressWarnings("NullAway.Init")
  URL root;

  /* The libraries are those of the example: what the filter needs on this server. */
  @Deployment
  static WebArchive contract() {
    WebArchive example = ShrinkWrap.createFromZipFile(WebArchive.class, ExampleArchive.file());
    return ShrinkWrap.create(WebArchive.class, "contract.war")
        .merge(example, Filters.include("/WEB-INF/lib/.*"))
        .addPackage(ContractApplication.class.getPackage())
        .addClasses(ForwardingApplication.class, ForwardingResource.class, ForwardingServlet.class)
        .addAsResource("META-INF/services/dev.comporta.server.api.CallerIdentifier")
        .addAsResource(
            new StringAsset(ContractSettings.asProperties()),
            "META-INF/microprofile-config.properties");
  }

  @Override
  protected URI baseUri() {
    try {
      return root.toURI().resolve("api/");
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException("Arquillian gives valid addresses", impossible);
    }
  }

  @Override
  protected boolean tellsAfterUnmappedExceptions() {
    return true;
  }

  @Test
  void aRequestThatIsForwardedTwiceIsDecidedOnce() {
    HttpResponse<String> first = api().get("../from");
    HttpResponse<String> second = api().get("../from");

    assertThat(first.body()).isEqualTo("arrived");
    assertThat(only(first, "X-RateLimit-Remaining")).isEqualTo("9");
    assertThat(only(second, "X-RateLimit-Remaining")).isEqualTo("8");
  }
}
