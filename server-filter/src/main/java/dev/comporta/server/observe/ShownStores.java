package dev.comporta.server.observe;

import dev.comporta.server.cdi.Registry;
import java.util.List;

/** The stores of the running applications, for the health check, which the container creates. */
final class ShownStores {

  private static final Registry<StoreStatus> RUNNING = new Registry<>();

  private ShownStores() {}

  static Registry.Registration add(StoreStatus store) {
    return RUNNING.add(store);
  }

  static List<StoreStatus> here() {
    return RUNNING.here();
  }
}
