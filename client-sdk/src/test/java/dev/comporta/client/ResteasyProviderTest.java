package dev.comporta.client;

import jakarta.ws.rs.client.ClientBuilder;
import org.jboss.resteasy.client.jaxrs.internal.ResteasyClientBuilderImpl;

class ResteasyProviderTest extends ProviderContract {

  @Override
  ClientBuilder newBuilder() {
    return new ResteasyClientBuilderImpl();
  }
}
