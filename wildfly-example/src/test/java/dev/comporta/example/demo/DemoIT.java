package dev.comporta.example.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.RateLimitedClient;
import java.io.File;
import java.net.URL;
import java.time.Duration;
import java.util.Optional;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Both halves of Comporta against each other: the client obeys what the server tells. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class DemoIT {

  private static final Logger LOG = LoggerFactory.getLogger(DemoIT.class);

  @ArquillianResource
  @SuppressWarnings("NullAway.Init")
  URL root;

  @Deployment
  static WebArchive example() {
    return ShrinkWrap.createFromZipFile(
        WebArchive.class, new File(System.getProperty("example.war")));
  }

  @Test
  void aWrappedClientOfEightThreadsIsAnsweredAndHardlyEverRefused() throws InterruptedException {
    Race race = new Race(root.toString(), Optional.of("demo-free"), 8, Duration.ofSeconds(8));

    Race.Outcome outcome = Demo.run(race, RateLimitedClient::wrap);

    Tally tally = outcome.tally();
    LOG.info(
        "closed loop: {} calls, {} sent, {} answered, {} refused, {} % of what was allowed",
        outcome.calls(), tally.sent(), tally.answered(), tally.refused(), outcome.percentUsed());
    assertThat(tally.answered()).isEqualTo(outcome.calls()).isGreaterThan(10);
    assertThat(tally.refused() * 100).isLessThanOrEqualTo(tally.sent() * 2);
  }
}
