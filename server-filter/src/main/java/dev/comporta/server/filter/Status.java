package dev.comporta.server.filter;

import dev.comporta.server.observe.StoreStatus;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.OutageCounts;
import dev.comporta.server.store.TripCounts;
import dev.comporta.server.store.WatchedStore;
import dev.comporta.server.store.memory.MemoryLimitStore;

/**
 * How the store of an application is, for its operators.
 *
 * @param application its namespace
 * @param store what decides
 * @param memory what this node keeps by itself
 */
record Status(String application, LimitStore store, MemoryLimitStore memory)
    implements StoreStatus {

  @Override
  public boolean isShared() {
    return store instanceof WatchedStore watched && watched.isShared();
  }

  @Override
  public long statesInMemory() {
    return store instanceof MemoryLimitStore own ? own.size() : memory.size();
  }

  @Override
  public TripCounts trips() {
    return store instanceof WatchedStore watched ? watched.tripCounts() : TripCounts.NONE;
  }

  @Override
  public OutageCounts outages() {
    return store instanceof WatchedStore watched ? watched.outageCounts() : OutageCounts.NONE;
  }

  @Override
  public Condition condition() {
    if (!(store instanceof WatchedStore watched)) {
      return Condition.WORKING;
    }
    if (watched.isFaulty()) {
      return watched.hasAnswered() ? Condition.FAULTY : Condition.UNUSABLE;
    }
    return watched.isShared() ? Condition.WORKING : Condition.AWAY;
  }
}
