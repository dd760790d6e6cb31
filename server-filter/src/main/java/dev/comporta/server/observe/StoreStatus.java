package dev.comporta.server.observe;

import dev.comporta.server.store.OutageCounts;
import dev.comporta.server.store.TripCounts;

/**
 * How the store of one Jakarta REST application is, whenever an operator's tool asks. Answers at
 * once and from memory; asked from any thread.
 */
public interface StoreStatus {

  /** The name of the application, as its keys have it: {@code comporta.namespace}. */
  String application();

  /** Whether limits are shared with other nodes. */
  boolean isShared();

  /** States of callers that are kept in the memory of this node, one for each limit of a caller. */
  long statesInMemory();

  /** How often the shared store was asked to decide, if there is one. */
  TripCounts trips();

  /** How often the shared store had no answer, if there is one. */
  OutageCounts outages();

  /** Whether the store can decide. */
  Condition condition();

  /** Whether a store can decide, and what helps if it cannot. */
  enum Condition {
    /**
     * It decides.
     *
     * <p><b>Health</b> {@code UP}. <b>What helps</b> nothing has to.
     */
    WORKING,

    /**
     * It does not answer; {@code comporta.on-store-failure} decides in its place.
     *
     * <p><b>Health</b> {@code UP}: the application serves, and would on no other node do better.
     * <b>What helps</b> time, or whoever runs the store.
     */
    AWAY,

    /**
     * It has worked since the start, and now answers with an error that lasts until someone mends
     * it.
     *
     * <p><b>Health</b> {@code UP}, with this word in its data: else every node would go at once.
     * <b>What helps</b> the log, which names the error.
     */
    FAULTY,

    /**
     * It has answered nothing since the start but errors that last until someone mends them.
     *
     * <p><b>Health</b> {@code DOWN}: a new version that is set up wrongly must not replace one that
     * works. <b>What helps</b> the log, which names the error.
     */
    UNUSABLE
  }
}
