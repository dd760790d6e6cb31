package dev.comporta.server.limiter;

import dev.comporta.server.caller.CallerList;
import dev.comporta.server.caller.UnknownCaller;

/**
 * What holds for every policy, and may change while the application runs.
 *
 * @param allowed callers who are never limited
 * @param blocked callers who are always refused; a caller in both lists is blocked
 * @param unknown what becomes of a request when nobody can be told whom it counts for
 * @param nearLimitPercent the share of a limit whose use is told as near the limit
 */
public record Rules(
    CallerList allowed, CallerList blocked, UnknownCaller unknown, int nearLimitPercent) {}
