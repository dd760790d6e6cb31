package dev.comporta.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * For each client another with its security and nothing else of it. It is closed when nobody refers
 * to the outer one any more. Thread-safe.
 */
final class PlainClients implements UnaryOperator<Client> {

  private static final long CONNECT_SECONDS = 10;
  private static final long READ_SECONDS = 60;

  /** Time-outs and the proxy are among them; what other properties hold is not known. */
  private static final String JERSEY = "jersey.config.client.";

  private final Supplier<ClientBuilder> builders;

  /** Weak keys are compared by identity. */
  private final Cache<Client, Client> clients =
      Caffeine.newBuilder().weakKeys().removalListener(PlainClients::close).build();

  PlainClients(Supplier<ClientBuilder> builders) {
    this.builders = builders;
  }

  @Override
  public Client apply(Client outer) {
    return clients.get(outer, this::make);
  }

  private Client make(Client outer) {
    ClientBuilder builder =
        builders
            .get()
            .connectTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
            .readTimeout(READ_SECONDS, TimeUnit.SECONDS);
    if (outer.getSslContext() != null) {
      builder.sslContext(outer.getSslContext());
    }
    if (outer.getHostnameVerifier() != null) {
      builder.hostnameVerifier(outer.getHostnameVerifier());
    }
    for (Map.Entry<String, Object> property : outer.getConfiguration().getProperties().entrySet()) {
      if (property.getKey().startsWith(JERSEY)) {
        builder.property(property.getKey(), property.getValue());
      }
    }
    return builder.build();
  }

  private static void close(@Nullable Client outer, @Nullable Client plain, RemovalCause cause) {
    if (plain != null) {
      plain.close();
    }
  }
}
