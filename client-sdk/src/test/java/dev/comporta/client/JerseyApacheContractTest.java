package dev.comporta.client;

import jakarta.ws.rs.client.Client;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.core5.util.TimeValue;
import org.glassfish.jersey.apache5.connector.Apache5ClientProperties;
import org.glassfish.jersey.apache5.connector.Apache5ConnectorProvider;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.JerseyClientBuilder;

class JerseyApacheContractTest extends ClientContract {

  /** Its own retries are off: by default it sends once more what was refused. */
  @Override
  Client newClient() {
    return new JerseyClientBuilder()
        .withConfig(
            new ClientConfig()
                .connectorProvider(new Apache5ConnectorProvider())
                .property(
                    Apache5ClientProperties.RETRY_STRATEGY,
                    new DefaultHttpRequestRetryStrategy(0, TimeValue.ZERO_MILLISECONDS)))
        .build();
  }
}
