package dev.comporta.example;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.process.internal.RequestScoped;

/**
 * Gives resources on a server without servlets what they ask a servlet request for: the properties
 * of their request.
 */
final class ServletRequests extends AbstractBinder {

  @Override
  protected void configure() {
    bindFactory(OfRequest.class)
        .to(HttpServletRequest.class)
        .proxy(true)
        .proxyForSameScope(false)
        .in(RequestScoped.class);
  }

  /** One for each request. Public for Jersey alone. */
  public static final class OfRequest implements Supplier<HttpServletRequest> {

    private final ContainerRequestContext request;

    /** Of that request. */
    @Inject
    public OfRequest(ContainerRequestContext request) {
      this.request = request;
    }

    @Override
    public HttpServletRequest get() {
      ServletContext context = proxy(ServletContext.class, (self, method, arguments) -> null);
      return proxy(
          HttpServletRequest.class,
          (self, method, arguments) ->
              switch (method.getName()) {
                case "getAttribute" -> request.getProperty((String) arguments[0]);
                case "getRemoteAddr" -> "192.0.2.1";
                case "getServletContext" -> context;
                default -> null;
              });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
      ClassLoader loader = ServletRequests.class.getClassLoader();
      return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
    }
  }
}
