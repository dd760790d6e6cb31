package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.as.arquillian.container.ManagementClient;
import org.jboss.dmr.ModelNode;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server on which the example, with usage in Redis, comes and goes and leaves nothing behind. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
@Tag("slow")
class RedeploymentIT {

  private static final int TIMES = 10;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** This library, Redisson and Netty; the pools of the server grow and shrink by themselves. */
  private static final String OF_THE_LIBRARY = ".*(comporta|redisson|netty|[eE]vent).*";

  private static final Map<String, Long> NONE = Map.of();

  private static final RedisProcess REDIS = started();

  @ArquillianResource
  @SuppressWarnings("NullAway.Init")
  Deployer deployer;

  @ArquillianResource
  @SuppressWarnings("NullAway.Init")
  ManagementClient management;

  @Deployment(name = "shared", managed = false)
  static WebArchive shared() {
    return ExampleArchive.withConfiguration(
        """
        config_ordinal=200
        comporta.store=redis
        comporta.redis.address=%s
        comporta.store-budget=10s
        """
            .formatted(REDIS.address()));
  }

  @AfterAll
  static void stop() {
    REDIS.close();
  }

  @Test
  void threadsAndConnectionsAreAfterTheTenthDeploymentAsAfterTheFirst() {
    assertThereAre(NONE, 0);
    comesAndIsAsked();
    // Netty's own, which ends when it has been idle for a second.
    Polling.until(PATIENCE, () -> !threads().containsKey("globalEventExecutor-#-#"));
    Map<String, Long> first = threads();
    long connections = REDIS.connections();
    for (int i = 2; i <= TIMES; i++) {
      deployer.undeploy("shared");
      assertThereAre(NONE, 0);
      comesAndIsAsked();
    }

    System.out.println("deployed: " + connections + " connections, threads " + first);
    assertThereAre(first, connections);
    assertThat(connections).isPositive();
    assertThat(first).containsKeys("redisson-#-#", "redisson-netty-#-#");
    deployer.undeploy("shared");
    assertThereAre(NONE, 0);
  }

  private void comesAndIsAsked() {
    deployer.deploy("shared");
    HttpApi api =
        new HttpApi(URI.create("http://127.0.0.1:" + System.getProperty("it.http.port") + "/"));

    assertThat(api.get("api/status").body()).contains("redis");
    assertThat(api.getMany(5, "api/books")).allMatch(answer -> answer.statusCode() == 200);
  }

  /** Now or soon: threads end a little later than the server says that the deployment has gone. */
  private void assertThereAre(Map<String, Long> threads, long connections) {
    Polling.until(PATIENCE, () -> REDIS.connections() == connections && threads().equals(threads));

    assertThat(REDIS.connections()).isEqualTo(connections);
    assertThat(threads()).isEqualTo(threads);
  }

  /** How many such threads there are of each name, numbers left out. */
  private Map<String, Long> threads() {
    ModelNode question = new ModelNode();
    question.get("operation").set("dump-all-threads");
    question.get("address").add("core-service", "platform-mbean").add("type", "threading");
    question.get("locked-monitors").set(false);
    question.get("locked-synchronizers").set(false);
    try {
      return management.getControllerClient().execute(question).get("result").asList().stream()
          .map(thread -> thread.get("thread-name").asString())
          .filter(name -> name.matches(OF_THE_LIBRARY))
          .collect(
              Collectors.groupingBy(
                  name -> name.replaceAll("[0-9]+", "#"), TreeMap::new, Collectors.counting()));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static RedisProcess started() {
    try {
      return RedisProcess.start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
