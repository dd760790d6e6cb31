package dev.comporta.client;

import jakarta.ws.rs.client.Client;
import org.jboss.resteasy.client.jaxrs.internal.ResteasyClientBuilderImpl;

class ResteasyContractTest extends ClientContract {

  @Override
  Client newClient() {
    return new ResteasyClientBuilderImpl().build();
  }
}
