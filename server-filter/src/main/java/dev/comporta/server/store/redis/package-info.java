/**
 * Usage kept in Redis and shared by all nodes, through Redisson. Loaded only when configured.
 *
 * <ul>
 *   <li><b>In</b>: {@code RedisStores} makes what the settings ask for, from {@code RedisOptions}.
 *   <li><b>Connection</b>: {@code RedisConnection}, with {@code RedissonConfig} or {@code
 *       RedissonFile}, {@code WarmUp}; {@code RedisFailures} reads what goes wrong.
 *   <li><b>One decision</b>: {@code RedisLimitStore} asks a {@code Question} of the scripts ({@code
 *       RedisScripts}, {@code ScriptRequest}, {@code ScriptKeys}) and reads states ({@code
 *       RedisState}).
 *   <li><b>Many decisions in one call</b>: {@code Flights}, {@code DecisionCall}, {@code
 *       SameQuestions}.
 *   <li><b>Decisions without a call</b>: {@code RefusalCache}; {@code Leases}, {@code Lease},
 *       {@code LostLeases}.
 *   <li><b>Limits in several slots of a cluster</b>: {@code SlotwiseStore}, {@code
 *       SlotwiseDecision}, {@code SlotParts}, {@code SlotInstants}, {@code HashSlot}.
 *   <li><b>What running code changes</b>: {@code RedisChanges} and all that begins with {@code
 *       Change}.
 *   <li><b>The other engine</b>: all that begins with {@code RateLimiter}, on Redisson's {@code
 *       RRateLimiter}.
 *   <li><b>Counts</b>: {@code TripCounter}, {@code Trips}.
 * </ul>
 */
@NullMarked
package dev.comporta.server.store.redis;

import org.jspecify.annotations.NullMarked;
