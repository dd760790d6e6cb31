package dev.comporta.server.observe;

import dev.comporta.server.store.OutageCounts;
import dev.comporta.server.store.TripCounts;

/** A store that is as a test says. */
record Stores(
    String application,
    boolean isShared,
    long statesInMemory,
    TripCounts trips,
    OutageCounts outages,
    Condition condition)
    implements StoreStatus {

  static Stores inMemory(String application) {
    return new Stores(application, false, 7, TripCounts.NONE, OutageCounts.NONE, Condition.WORKING);
  }

  static Stores shared(String application, Condition condition) {
    return new Stores(
        application,
        true,
        7,
        new TripCounts(3, 40, 500, 60),
        new OutageCounts(11, 12, 13, 14),
        condition);
  }
}
