package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A wrong policy stops the deployment, and every mistake is told at once. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class FaultyDeploymentIT {

  @ArquillianResource
  @SuppressWarnings("NullAway.Init")
  Deployer deployer;

  @Deployment(name = "faulty", managed = false)
  static WebArchive faulty() {
    return ExampleArchive.withConfiguration(
            """
            comporta.polices.search.limits=200/1m
            comporta.default.limits=0/1m
            """)
        .addClass(FaultyResource.class);
  }

  @Test
  void aDeploymentWithFourMistakesFailsAndNamesThemAll() {
    Throwable failure = catchThrowable(() -> deployer.deploy("faulty"));

    assertThat(failure).isNotNull();
    String told =
        Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
            .map(Throwable::toString)
            .collect(Collectors.joining("\n"));
    assertThat(told)
        .contains("comporta.polices.search.limits")
        .contains("comporta.policies.search.limits")
        .contains("0/1m")
        .contains("FaultyResource.dear")
        .contains("nowhere");
  }
}
