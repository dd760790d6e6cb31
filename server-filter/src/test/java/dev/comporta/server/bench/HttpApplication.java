package dev.comporta.server.bench;

import dev.comporta.server.api.RateLimited;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonBuilderFactory;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Map;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.CommonProperties;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/** A server in a process of its own: with the filter, or without anything of this library. */
public final class HttpApplication {

  private HttpApplication() {}

  /** Answers with a short text. */
  @Path("books")
  public static class Books {

    /** The same with and without the filter, which is what binds the annotation. */
    @GET
    @RateLimited("2000000000/1d")
    public String get() {
      return "Os Lusíadas";
    }
  }

  /** Answers as resources do: with some objects as JSON. */
  @Path("catalogue")
  public static class Catalogue {

    private static final int BOOKS = 20;

    /** The static methods of Json look for its implementation each time, for 1 ms. */
    private static final JsonBuilderFactory JSON = Json.createBuilderFactory(Map.of());

    /** Twenty books. */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @RateLimited("2000000000/1d")
    public String get() {
      JsonArrayBuilder books = JSON.createArrayBuilder();
      for (int i = 0; i < BOOKS; i++) {
        books.add(
            JSON.createObjectBuilder()
                .add("title", "Os Lusíadas " + i)
                .add("author", "Luís de Camões")
                .add("year", 1572 + i)
                .add("isOnLoan", i % 3 == 0));
      }
      return books.build().toString();
    }
  }

  /** The same short answer, under a policy of which settings may say more. */
  @Path("leased")
  public static class Leased {

    /** As short an answer. */
    @GET
    @RateLimited(value = "2000000000/1d", policy = "leased")
    public String get() {
      return "Os Lusíadas";
    }
  }

  /** Admits one request a day, from anybody. */
  @Path("spent")
  public static class Spent {

    /** As short an answer. */
    @GET
    @RateLimited("1/1d")
    public String get() {
      return "Os Lusíadas";
    }
  }

  /** Tells the processor time that this process has used, in nanoseconds. */
  @Path("cpu")
  public static class Cpu {

    /** Nanoseconds. */
    @GET
    public String get() {
      return ManagementFactory.getOperatingSystemMXBean()
              instanceof com.sun.management.OperatingSystemMXBean system
          ? Long.toString(system.getProcessCpuTime())
          : "0";
    }
  }

  /** Answers with the headers of the filter, which cost nothing to find. */
  public static class ConstantHeaders implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      if (request.getUriInfo().getPath().equals("cpu")) {
        return;
      }
      MultivaluedMap<String, Object> headers = response.getHeaders();
      headers.putSingle("X-RateLimit-Limit", "2000000000");
      headers.putSingle("X-RateLimit-Remaining", "1999999999");
      headers.putSingle("X-RateLimit-Reset", "1794000000");
      headers.putSingle("RateLimit-Policy", "\"Books.get-1d\";q=2000000000;w=86400");
      headers.putSingle("RateLimit", "\"Books.get-1d\";r=1999999999;t=1");
    }
  }

  /**
   * Serves until its standard input ends.
   *
   * @param args {@code limited}, {@code plain} or {@code constant}, and the port
   */
  public static void main(String[] args) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, fault) -> {
          fault.printStackTrace();
          Runtime.getRuntime().halt(1); // else its threads would listen, and nobody be told
        });
    ResourceConfig application =
        new ResourceConfig(Books.class, Catalogue.class, Leased.class, Spent.class, Cpu.class);
    if (!args[0].equals("limited")) {
      application.property(CommonProperties.METAINF_SERVICES_LOOKUP_DISABLE, true);
    }
    if (args[0].equals("constant")) {
      application.register(ConstantHeaders.class);
    }
    URI base = URI.create("http://127.0.0.1:" + args[1] + "/");
    HttpServer server = GrizzlyHttpServerFactory.createHttpServer(base, application, false);
    // Grizzly closes a connection after 256 requests, which would be part of what is measured.
    server.getListeners().forEach(listener -> listener.getKeepAlive().setMaxRequestsCount(-1));
    server.start();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      // Whoever started this ends it by closing the stream.
    }
    server.shutdownNow();
  }
}
