package dev.comporta.server.observe;

/** Which optional libraries there are, as this library's own class loader sees them. */
final class Libraries {

  private Libraries() {}

  static boolean hasMicrometer() {
    return has("io.micrometer.core.instrument.Metrics");
  }

  static boolean hasHealth() {
    return has("org.eclipse.microprofile.health.HealthCheck");
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
