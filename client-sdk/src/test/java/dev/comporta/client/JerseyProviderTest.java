package dev.comporta.client;

import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ResponseProcessingException;
import org.glassfish.jersey.client.JerseyClientBuilder;

class JerseyProviderTest extends ProviderContract {

  @Override
  ClientBuilder newBuilder() {
    return new JerseyClientBuilder();
  }

  /** Jersey wraps the standard exception for callbacks, also without the provider. */
  @Override
  Class<? extends Throwable> refusalOfACallback() {
    return ResponseProcessingException.class;
  }
}
