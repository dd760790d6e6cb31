package dev.comporta.client;

import jakarta.ws.rs.client.Client;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.JerseyClientBuilder;
import org.glassfish.jersey.jnh.connector.JavaNetHttpConnectorProvider;

class JerseyJdkContractTest extends ClientContract {

  @Override
  Client newClient() {
    return new JerseyClientBuilder()
        .withConfig(new ClientConfig().connectorProvider(new JavaNetHttpConnectorProvider()))
        .build();
  }

  /** Without waiting it never tells: its future stays open when nothing listens. */
  @Override
  boolean isToldOfFailures(Way way) {
    return way == Way.SYNC || way == Way.INVOKE;
  }
}
