package dev.comporta.client;

import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.core.Configuration;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;

/**
 * Retries of Jersey's connector for Apache HttpClient 5, which by default sends once more what was
 * answered with 429 or 503, whatever its method, and sleeps for it in its thread. Two layers would
 * each retry what the other has retried, and the server would get the product.
 */
final class ConnectorRetries {

  /*
   * How this works, and why
   *
   * Nothing that a filter sees tells that a connector sends again, so the configuration is asked,
   * by names: neither Jersey nor HttpClient is there for every application. Where no strategy is
   * set, the default of HttpClient would be in force; one is set that answers no to every response
   * and leaves failures of the connection to that default. Jersey makes the connector anew when a
   * client is configured anew, so this is in time also for a client that was used before. Where
   * the application has set a strategy, that is asked whether it would send a refused request
   * again. It is the application's, so it stays, and a warning names the remedy.
   *
   * What is not seen: a strategy that an Apache5HttpClientBuilderConfigurator of the application
   * sets, or one that is set after wrapping.
   */

  private static final Logger LOG = System.getLogger(RateLimitedClient.class.getName());

  private static final String PROVIDER =
      "org.glassfish.jersey.apache5.connector.Apache5ConnectorProvider";

  /** {@code Apache5ClientProperties.RETRY_STRATEGY}. */
  static final String PROPERTY = "jersey.config.apache5.client.retryStrategy";

  private static final String HTTP_CLIENT = "org.apache.hc.client5.http.";

  private static final List<Integer> REFUSALS = List.of(429, 503);

  private ConnectorRetries() {}

  /** Switches them off where the application has not decided, and warns where it has otherwise. */
  static void settle(Client client) {
    Optional<ClassLoader> loader = connectorLoader(client.getConfiguration());
    if (loader.isEmpty()) {
      return;
    }
    Object strategy = client.getConfiguration().getProperty(PROPERTY);
    try {
      if (strategy == null) {
        client.property(PROPERTY, ofFailuresOnly(loader.get()));
      } else if (sendsAgain(strategy, loader.get())) {
        LOG.log(
            Level.WARNING,
            "the retry strategy {0} of this client''s connector sends refused requests again, below"
                + " the retries of RateLimitedClient: each sending may arrive several times. Do not"
                + " set {1}, then it is switched off; or set it to"
                + " new DefaultHttpRequestRetryStrategy(0, TimeValue.ZERO_MILLISECONDS)",
            strategy.getClass().getName(),
            PROPERTY);
      }
    } catch (ReflectiveOperationException | LinkageError unknown) {
      LOG.log(
          Level.WARNING,
          "cannot tell whether the connector of this client sends refused requests again, since its"
              + " HttpClient is not one of version 5 that is known; see "
              + PROPERTY,
          unknown);
    }
  }

  /** The loader of the connector, if it is that one. */
  private static Optional<ClassLoader> connectorLoader(Configuration configuration) {
    try {
      Object provider =
          configuration.getClass().getMethod("getConnectorProvider").invoke(configuration);
      for (Class<?> type = provider.getClass(); type != null; type = type.getSuperclass()) {
        if (type.getName().equals(PROVIDER)) {
          return Optional.ofNullable(type.getClassLoader());
        }
      }
      return Optional.empty();
    } catch (ReflectiveOperationException notJersey) {
      return Optional.empty();
    }
  }

  /** The default strategy, without its answer to responses. */
  private static Object ofFailuresOnly(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> type = Class.forName(HTTP_CLIENT + "HttpRequestRetryStrategy", true, loader);
    Object whole =
        Class.forName(HTTP_CLIENT + "impl.DefaultHttpRequestRetryStrategy", true, loader)
            .getField("INSTANCE")
            .get(null);
    return Proxy.newProxyInstance(
        loader,
        new Class<?>[] {type},
        (proxy, method, args) -> isOfResponse(method) ? false : passed(method, whole, args));
  }

  private static boolean isOfResponse(Method method) {
    return method.getName().equals("retryRequest") && method.getParameterCount() == 3;
  }

  private static Object passed(Method method, Object whole, Object[] args) throws Throwable {
    try {
      return method.invoke(whole, args);
    } catch (InvocationTargetException thrown) {
      throw Optional.ofNullable(thrown.getCause()).orElse(thrown);
    }
  }

  private static boolean sendsAgain(Object strategy, ClassLoader loader)
      throws ReflectiveOperationException {
    Class<?> response = Class.forName("org.apache.hc.core5.http.HttpResponse", true, loader);
    Class<?> context = Class.forName("org.apache.hc.core5.http.protocol.HttpContext", true, loader);
    Method asked =
        Class.forName(HTTP_CLIENT + "HttpRequestRetryStrategy", true, loader)
            .getMethod("retryRequest", response, int.class, context);
    Object anywhere =
        Class.forName(HTTP_CLIENT + "protocol.HttpClientContext", true, loader)
            .getMethod("create")
            .invoke(null);
    for (int status : REFUSALS) {
      Object refusal =
          Class.forName("org.apache.hc.core5.http.message.BasicHttpResponse", true, loader)
              .getConstructor(int.class)
              .newInstance(status);
      if (Boolean.TRUE.equals(asked.invoke(strategy, refusal, 1, anywhere))) {
        return true;
      }
    }
    return false;
  }
}
