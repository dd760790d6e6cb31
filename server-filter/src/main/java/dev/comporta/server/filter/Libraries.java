package dev.comporta.server.filter;

/**
 * Which optional libraries there are, as this library sees them. The class loader of the thread is
 * not asked: on some servers it knows classes that this library could not link to.
 */
final class Libraries {

  private Libraries() {}

  static boolean hasServlets() {
    return has("jakarta.servlet.http.HttpServletRequest");
  }

  static boolean hasJersey() {
    return has("org.glassfish.jersey.server.monitoring.ApplicationEventListener");
  }

  static boolean hasJerseyOnGrizzly() {
    return has("org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpContainer")
        && has("org.glassfish.grizzly.http.server.Request");
  }

  static boolean hasRedisson() {
    return has("org.redisson.api.RedissonClient");
  }

  static boolean hasResilience4j() {
    return has("io.github.resilience4j.circuitbreaker.CircuitBreaker");
  }

  private static boolean has(String className) {
    try {
      Class.forName(className, false, Libraries.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
