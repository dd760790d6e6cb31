package dev.comporta.server.store;

import dev.comporta.server.algorithm.Standing;
import java.util.List;

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
   * Where the caller stands, in the order given. Charges nothing and creates nothing.
   *
   * @throws StoreException if the store could not be read
   */
  Standings peek(List<KeyedLimit> limits);

  /**
   * Standings at one instant.
   *
   * @param standings in the order asked
   * @param nowMicros the instant, microseconds since the epoch, by the clock of the store
   */
  record Standings(List<Standing> standings, long nowMicros) {}

  /** Frees what the store holds. Closing twice is harmless. */
  @Override
  void close();
}
