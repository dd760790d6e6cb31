package dev.comporta.server.store;

/**
 * How often a node has asked its shared store to decide, since it was opened.
 *
 * @param trips calls that carried decisions
 * @param carried decisions that they carried
 * @param repeated refusals that the node repeated without a call
 * @param leased decisions that the node admitted by a lease, without a call
 */
public record TripCounts(long trips, long carried, long repeated, long leased) {

  /** Of a store that is not shared. */
  public static final TripCounts NONE = new TripCounts(0, 0, 0, 0);
}
