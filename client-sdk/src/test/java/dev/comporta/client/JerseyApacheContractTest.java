package dev.comporta.client;

import jakarta.ws.rs.client.Client;
import org.glassfish.jersey.apache5.connector.Apache5ConnectorProvider;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.JerseyClientBuilder;

class JerseyApacheContractTest extends ClientContract {

  /** As it is: its own retries are on until it is wrapped. */
  @Override
  Client newClient() {
    return new JerseyClientBuilder()
        .withConfig(new ClientConfig().connectorProvider(new Apache5ConnectorProvider()))
        .build();
  }
}
