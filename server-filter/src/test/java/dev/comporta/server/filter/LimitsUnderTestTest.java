package dev.comporta.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.contract.LimitsResource;
import dev.comporta.server.testing.LimitsUnderTest;
import java.time.Duration;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LimitsUnderTestTest {

  @RegisterExtension final SystemSettings settings = new SystemSettings();

  private final LimitsUnderTest limits = new LimitsUnderTest();

  @SuppressWarnings("NullAway.Init")
  private JerseyServer server;

  @BeforeEach
  void start() {
    ResourceConfig application = new ResourceConfig(LimitsResource.class);
    limits.applyTo(application);
    server = new JerseyServer(application);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void timeStandsStillUntilTheTestMovesIt() {
    assertThat(server.api().statuses(7, "limits/window"))
        .containsExactly(200, 200, 200, 200, 200, 200, 429);

    limits.clock().advance(Duration.ofMinutes(2));

    assertThat(server.api().get("limits/window").statusCode()).isEqualTo(200);
  }

  @Test
  void tellsWhatWasDecided() {
    server.api().statuses(7, "limits/window");
    server.api().get("limits/three");

    assertThat(limits.allowed("window")).hasSize(6);
    assertThat(limits.refused("window"))
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.limit()).isEqualTo("window-1m");
              assertThat(refused.retryAfter())
                  .hasValueSatisfying(wait -> assertThat(wait).isPositive());
            });
    assertThat(limits.shadowRefused("window")).isEmpty();
    assertThat(limits.events()).hasSizeGreaterThanOrEqualTo(8);
  }

  @Test
  void forgetsUsageBetweenTwoTests() {
    server.api().statuses(7, "limits/window");

    limits.forgetUsage();

    assertThat(limits.events()).isEmpty();
    assertThat(server.api().statuses(6, "limits/window")).containsOnly(200);
  }

  @Test
  void oneSettingTurnsAllLimitsOff() {
    server.close();
    settings.set("comporta.mode", "off");
    ResourceConfig application = new ResourceConfig(LimitsResource.class);
    limits.applyTo(application);
    server = new JerseyServer(application);

    assertThat(server.api().statuses(20, "limits/window")).containsOnly(200);
    assertThat(limits.events()).isEmpty();
  }

  @Test
  void tellsWhoIsRefusedBeforeAnyLimitIsAsked() {
    server.close();
    settings.set("comporta.block", "127.0.0.1");
    ResourceConfig application = new ResourceConfig(LimitsResource.class);
    limits.applyTo(application);
    server = new JerseyServer(application);

    assertThat(server.api().get("limits/window").statusCode()).isEqualTo(403);
    assertThat(limits.events())
        .singleElement()
        .isInstanceOfSatisfying(
            RateLimitEvent.Barred.class,
            barred -> {
              assertThat(barred.policy()).isEqualTo("window");
              assertThat(barred.status()).isEqualTo(403);
              assertThat(barred.caller()).isPresent();
              assertThat(barred.toString()).doesNotContain("127.0.0.1");
            });
  }
}
