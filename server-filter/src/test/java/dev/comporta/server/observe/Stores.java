package dev.comporta.server.observe;

import dev.comporta.server.store.TripCounts;

/** A store that is as a test says. */
record Stores(
    String application,
    boolean isShared,
    long statesInMemory,
    TripCounts trips,
    Condition condition)
    implements StoreStatus {

  static Stores inMemory(String application) {
    return new Stores(application, false, 7, TripCounts.NONE, Condition.WORKING);
  }

  static Stores shared(String application, Condition condition) {
    return new Stores(application, true, 7, new TripCounts(3, 40, 500), condition);
  }
}
