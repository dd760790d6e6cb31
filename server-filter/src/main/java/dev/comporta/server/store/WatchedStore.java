package dev.comporta.server.store;

/** A store that can be away, and tells how it is. Answers from memory; asked from any thread. */
public interface WatchedStore extends LimitStore {

  /** Whether decisions are shared with the other nodes, as far as the last answers tell. */
  boolean isShared();

  /** Whether it has ever answered, since it was opened, with anything but a permanent error. */
  boolean hasAnswered();

  /** Whether its last answer was an error that lasts until somebody mends it. */
  boolean isFaulty();

  /** How often it has asked over the network, and how often it did not need to. */
  TripCounts tripCounts();

  /** How often it had no answer, and how often it was decided without one. */
  OutageCounts outageCounts();
}
