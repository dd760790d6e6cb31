package dev.comporta.server.api;

import jakarta.ws.rs.core.Configuration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The limits of a running application, for its own code: support tools, operators' resources,
 * tests. Found through the configuration of Jakarta REST, or injected where there is CDI:
 *
 * <pre>{@code
 * @POST
 * @Path("callers/{name}/reset")
 * public void reset(@PathParam("name") String name, @Context Configuration configuration) {
 *   RateLimits.of(configuration).reset(Caller.of("principal", name));
 * }
 * }</pre>
 *
 * <p>A caller is named by kind and identity as the filter knows it: {@code principal}, {@code
 * api-key} (by the name of the key), {@code address} (as a network of its group: {@code 192.0.2.1},
 * {@code 2001:db8::/64}), or what a {@link CallerIdentifier} gives. Thread-safe. Every method acts
 * at the next decision.
 *
 * <p>{@link #peek}, {@link #reset} and {@link #grant} act on what the store holds, so on all nodes
 * that share it. So do {@link #block}, {@link #unblock}, {@link #change} and {@link #revert}: they
 * write to the store, act on this node when they return, and on every other one within {@code
 * comporta.redis.changes-period} (1 s) while requests come to it; the first request after a pause
 * is decided by what its node knew before. Two nodes that change at once never undo one another's
 * change; of two under one policy or caller the later holds. What cannot be written throws {@link
 * ChangeNotSharedException} and changes nothing, on no node; what was written without an answer
 * throws it as well, and {@link ChangeNotSharedException#mayBeShared()} tells them apart.
 *
 * <p>Redis keeps changes until they are taken back or end by themselves, also while no node runs:
 * one that starts follows them from its first request on, and a log entry tells so. In memory they
 * are those of this node, until it ends.
 */
public interface RateLimits {

  /** The name of the property of the Jakarta REST configuration that holds it. */
  String PROPERTY = "dev.comporta.server.limits";

  /**
   * The limits of that application.
   *
   * @throws IllegalStateException if rate limiting is not part of it
   */
  static RateLimits of(Configuration configuration) {
    if (configuration.getProperty(PROPERTY) instanceof RateLimits limits) {
      return limits;
    }
    throw new IllegalStateException("this application has no rate limits: is the jar deployed?");
  }

  /**
   * Where that caller stands under every policy that the application has named and that is not off.
   * Spends nothing. Empty if the store cannot be read now.
   *
   * @param caller in the tier whose limits are meant; without one, the common limits are
   */
  List<Quota> peek(Caller caller);

  /** Forgets all that this caller has used, under every policy, in every tier. */
  void reset(Caller caller);

  /**
   * Forgets what this caller has used under that policy.
   *
   * @throws IllegalArgumentException if there is no such policy
   */
  void reset(String policy, Caller caller);

  /**
   * Gives that many permits back to this caller, on every limit of the policy that counts it alone;
   * never more than the limit is whole with.
   *
   * @param caller in the tier whose limits are meant; without one, the common limits are
   * @param permits at least 1
   * @throws IllegalArgumentException if there is no such policy
   */
  void grant(String policy, Caller caller, long permits);

  /**
   * Refuses every limited request of this caller for so long, with 429 and the time that is left. A
   * second block replaces the first.
   *
   * @param duration more than zero, at most 400 days; counted by the clock of the store
   * @throws IllegalStateException if as many callers are blocked as can be, 100,000 in memory and
   *     10,000 in Redis, or if the store did not take it ({@link ChangeNotSharedException})
   */
  void block(Caller caller, Duration duration);

  /**
   * Ends a block, whichever node has made it; does nothing if there is none.
   *
   * @throws ChangeNotSharedException if the store did not take it
   */
  void unblock(Caller caller);

  /**
   * For how much longer {@link #block} keeps this caller out, as this node knows: what another one
   * has done shows here when it acts here. Empty if it does not; {@code comporta.block} is no part
   * of it.
   */
  Optional<Duration> blockedFor(Caller caller);

  /**
   * Gives a policy other limits, in place of those of annotation and configuration, until {@link
   * #revert}; in memory, or until the application ends. Usage is kept. Tiers keep theirs. A node on
   * which they are not valid, or which has no such policy, since it runs another version of the
   * application, keeps its own and says so in its log.
   *
   * @param limits each as configuration writes it, {@code 100/1m}; at least one. What one does not
   *     say, its algorithm and for whom it counts, is as in the limits that it replaces, if these
   *     agree among themselves; else it is a token bucket per caller
   * @throws IllegalArgumentException if there is no such policy, or a limit is not valid; then
   *     nothing has changed
   * @throws ChangeNotSharedException if the store did not take it
   */
  void change(String policy, List<String> limits);

  /**
   * Takes back what {@link #change} did, on whichever node; does nothing if it did nothing.
   *
   * @throws ChangeNotSharedException if the store did not take it
   */
  void revert(String policy);
}
