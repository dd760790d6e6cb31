package dev.comporta.server.store;

import dev.comporta.server.algorithm.Standing;
import java.util.List;
import java.util.Optional;

/**
 * Keeps usage, and decides all limits of a request in one atomic verdict: either every limit passes
 * and every limit is charged, or none is. The order of the limits is irrelevant. Thread-safe.
 *
 * <p>Keys in one request are distinct.
 */
public interface LimitStore extends AutoCloseable {

  /**
   * Decides, and charges if all limits pass.
   *
   * @param limits at least one
   * @param cost permits to take from each, at least 1
   * @throws StoreException if no verdict could be reached; then it is not known whether the limits
   *     were charged
   */
  Verdict decide(List<KeyedLimit> limits, long cost);

  /**
   * Decides, as the other does, and may take permits for later decisions of the same caller on the
   * same limits, so that these need not ask the shared store: a lease. A store that asks nobody, or
   * cannot give permits back, takes none.
   *
   * @param lease how many permits one decision may take at most, its cost included; 1 is no more
   *     than its cost
   */
  default Verdict decide(List<KeyedLimit> limits, long cost, int lease) {
    return decide(limits, cost);
  }

  /**
   * Where the caller stands, in the order given. Charges nothing and creates nothing.
   *
   * @throws StoreException if the store could not be read
   */
  Standings peek(List<KeyedLimit> limits);

  /**
   * Corrects what was charged, once the true cost is known: all limits at one instant, whatever the
   * order. Each is corrected whether the others could be or not, so nothing is refused here.
   *
   * @param limits those that were charged
   * @param permits above 0, a surcharge: taken even if it is not there, as a debt that comes back
   *     as any usage does. Below 0, a refund: given back as far as what was charged then still
   *     counts; where no usage is kept, there is nothing to give back. 0 changes nothing.
   * @param chargedAtMicros {@link Verdict.Decided#nowMicros()} of the verdict that charged
   * @return where the caller stands after it, in the order given; empty if nobody knows, because
   *     the shared store is away and nothing decides in its place
   * @throws StoreException if the store could not be changed; then it is not known whether it was
   */
  Standings settle(List<KeyedLimit> limits, long permits, long chargedAtMicros);

  /**
   * Gives usage back whenever it was taken, the newest first: all limits at one instant, and none
   * beyond a whole quota. Where no usage is kept, there is nothing to give back.
   *
   * @param permits at least 1
   * @return where the caller stands after it, in the order given; empty if nobody knows, because
   *     the shared store is away and nothing decides in its place
   * @throws StoreException if the store could not be changed; then it is not known whether it was
   */
  Standings grant(List<KeyedLimit> limits, long permits);

  /**
   * Tells, before it is decided, that what these limits are charged may be given back before its
   * time, for this caller and any other. So a refusal may end earlier than its verdict says.
   */
  default void mayGiveBack(List<KeyedLimit> limits) {}

  /**
   * Forgets the usage under these keys, and under their former keys.
   *
   * @throws StoreException if the store could not be changed
   */
  void reset(List<KeyedLimit> limits);

  /**
   * What running code has changed, where every node that shares this store finds it; nothing if the
   * store is that of one node.
   *
   * @param key under which it is kept, of one application
   */
  default Optional<SharedChanges> changes(String key) {
    return Optional.empty();
  }

  /**
   * Standings at one instant.
   *
   * @param standings in the order asked; empty where {@link LimitStore#settle} or {@link
   *     LimitStore#grant} could not know
   * @param nowMicros the instant, microseconds since the epoch, by the clock of the store
   */
  record Standings(List<Standing> standings, long nowMicros) {}

  /** Frees what the store holds. Closing twice is harmless. */
  @Override
  void close();
}
