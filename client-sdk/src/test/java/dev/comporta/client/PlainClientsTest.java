package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.client.Client;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.JerseyClientBuilder;
import org.junit.jupiter.api.Test;

class PlainClientsTest {

  private final PlainClients clients = new PlainClients(JerseyClientBuilder::new);

  @Test
  void hasTheSecurityAndThePropertiesOfTheOuterOneAndNoneOfItsProviders()
      throws NoSuchAlgorithmException {
    SSLContext context = SSLContext.getDefault();
    HostnameVerifier verifier = (host, session) -> false;
    Client outer =
        new JerseyClientBuilder()
            .sslContext(context)
            .hostnameVerifier(verifier)
            .property(ClientProperties.PROXY_URI, "http://127.0.0.1:1")
            .property(ClientProperties.READ_TIMEOUT, 1234)
            .register(new RateLimitProvider())
            .build();

    Client plain = clients.apply(outer);

    assertThat(plain.getSslContext()).isSameAs(context);
    assertThat(plain.getHostnameVerifier()).isSameAs(verifier);
    assertThat(plain.getConfiguration().getProperties())
        .containsEntry(ClientProperties.PROXY_URI, "http://127.0.0.1:1")
        .containsEntry(ClientProperties.READ_TIMEOUT, 1234)
        .containsEntry(ClientProperties.CONNECT_TIMEOUT, 10_000);
    assertThat(plain.getConfiguration().getInstances()).isEmpty();
  }

  @Test
  void isOneForEachOuterClient() {
    Client outer = new JerseyClientBuilder().build();

    Client plain = clients.apply(outer);

    assertThat(clients.apply(outer)).isSameAs(plain);
    assertThat(clients.apply(new JerseyClientBuilder().build())).isNotSameAs(plain);
  }
}
