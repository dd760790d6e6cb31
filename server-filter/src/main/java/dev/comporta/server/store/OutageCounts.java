package dev.comporta.server.store;

/**
 * How often a node had no answer from its shared store, since it was opened.
 *
 * @param late questions that had no answer within the time budget
 * @param failed questions that ended with an error that passes, such as a broken connection or a
 *     time-out of the client library
 * @param faulty questions that ended with an error that lasts until somebody mends it
 * @param alone decisions that were made without the shared store, as {@link OnStoreFailure} says;
 *     while it is left alone, nobody asks it, so these can be more than all the others
 */
public record OutageCounts(long late, long failed, long faulty, long alone) {

  /** Of a store that is not shared. */
  public static final OutageCounts NONE = new OutageCounts(0, 0, 0, 0);
}
