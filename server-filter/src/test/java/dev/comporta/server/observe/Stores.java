package dev.comporta.server.observe;

/** A store that is as a test says. */
record Stores(String application, boolean isShared, long statesInMemory, Condition condition)
    implements StoreStatus {

  static Stores inMemory(String application) {
    return new Stores(application, false, 7, Condition.WORKING);
  }

  static Stores shared(String application, Condition condition) {
    return new Stores(application, true, 7, condition);
  }
}
