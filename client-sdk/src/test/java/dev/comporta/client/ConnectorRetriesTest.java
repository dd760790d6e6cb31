package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.RateLimitedClient.Options;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.WebTarget;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.util.TimeValue;
import org.glassfish.jersey.apache5.connector.Apache5ClientProperties;
import org.glassfish.jersey.apache5.connector.Apache5ConnectorProvider;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.JerseyClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connectors that send refused requests again by themselves. */
class ConnectorRetriesTest {

  private static final HttpRequestRetryStrategy TWICE =
      new DefaultHttpRequestRetryStrategy(1, TimeValue.ZERO_MILLISECONDS);
  private static final HttpRequestRetryStrategy ONCE =
      new DefaultHttpRequestRetryStrategy(0, TimeValue.ZERO_MILLISECONDS);

  private final FakeTimeline timeline = new FakeTimeline();
  private final ScriptedServer server;
  private final ClientConfig apache =
      new ClientConfig().connectorProvider(new Apache5ConnectorProvider());
  private final Logger log = Logger.getLogger(RateLimitedClient.class.getName());
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          warnings.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  ConnectorRetriesTest() throws IOException {
    server = new ScriptedServer();
  }

  @BeforeEach
  void listen() {
    log.addHandler(handler);
    log.setUseParentHandlers(false);
  }

  @AfterEach
  void stop() {
    log.removeHandler(handler);
    log.setUseParentHandlers(true);
    server.close();
  }

  // C38, C51
  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void whatIsNotSetIsSwitchedOffSoEachSendingArrivesOnce(int status) {
    for (int i = 0; i < 3; i++) {
      server.then(status, "", "Retry-After: 1");
    }
    try (Client plain = jersey()) {
      target(plain, 3).request().get().close();
    }

    assertThat(server.received()).hasSize(3);
    assertThat(warnings).isEmpty();
  }

  @Test
  void aClientThatWasUsedBeforeSendsOnceFromThenOn() {
    try (Client plain = jersey()) {
      plain.target(server.uri()).request().get().close();
      server.then(429, "", "Retry-After: 1");

      target(plain, 1).request().get().close();
    }

    assertThat(server.received()).hasSize(2);
  }

  // C51
  @Test
  void aStrategyThatSendsAgainStaysAndIsWarnedOfOnceWithTheRemedy() {
    apache.property(Apache5ClientProperties.RETRY_STRATEGY, TWICE);
    for (int i = 0; i < 4; i++) {
      server.then(429, "");
    }
    try (Client plain = jersey()) {
      WebTarget target = target(plain, 2);
      target.request().get().close();
      target.request().get().close();
    }

    assertThat(server.received()).as("2 sendings, twice each, and then one").hasSize(5);
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains(
            "sends refused requests again",
            DefaultHttpRequestRetryStrategy.class.getName(),
            Apache5ClientProperties.RETRY_STRATEGY,
            "new DefaultHttpRequestRetryStrategy(0, TimeValue.ZERO_MILLISECONDS)");
  }

  // C38, C51
  @Test
  void withTheRemedyEachSendingArrivesOnce() {
    apache.property(Apache5ClientProperties.RETRY_STRATEGY, ONCE);
    for (int i = 0; i < 4; i++) {
      server.then(429, "", "Retry-After: 1");
    }
    try (Client plain = jersey()) {
      target(plain, 4).request().post(Entity.text("x")).close();
    }

    assertThat(server.received()).hasSize(4);
    assertThat(warnings).isEmpty();
  }

  @Test
  void failuresOfTheConnectionAreStillRetriedByTheConnector() {
    try (Client plain = jersey()) {
      WebTarget unused = target(plain, 1);

      HttpRequestRetryStrategy set =
          (HttpRequestRetryStrategy)
              plain.getConfiguration().getProperty(ConnectorRetries.PROPERTY);

      assertThat(ConnectorRetries.PROPERTY).isEqualTo(Apache5ClientProperties.RETRY_STRATEGY);
      assertThat(
              set.retryRequest(
                  new BasicHttpRequest("GET", "/"),
                  new NoHttpResponseException("gone"),
                  1,
                  HttpClientContext.create()))
          .isTrue();
    }
  }

  private Client jersey() {
    return new JerseyClientBuilder().withConfig(apache).build();
  }

  private WebTarget target(Client plain, int maxAttempts) {
    return RateLimitedClient.wrap(plain, Options.defaults().withMaxAttempts(maxAttempts), timeline)
        .target(server.uri());
  }
}
