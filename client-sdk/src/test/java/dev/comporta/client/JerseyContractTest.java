package dev.comporta.client;

import jakarta.ws.rs.client.Client;
import org.glassfish.jersey.client.JerseyClientBuilder;

class JerseyContractTest extends ClientContract {

  @Override
  Client newClient() {
    return new JerseyClientBuilder().build();
  }
}
