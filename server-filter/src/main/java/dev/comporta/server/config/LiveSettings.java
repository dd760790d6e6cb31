package dev.comporta.server.config;

import dev.comporta.server.policy.ConfiguredPolicies;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings that act at the next decision when they change; {@link SettingKey#isLive()} tells
 * which they are. Of the policies, the zone and the exempt paths are not among them.
 *
 * @param policies the policies of the configuration
 * @param access whom limits do not concern, and whom nothing is answered
 * @param nearLimitPercent from which share of a limit on a caller is near it, 1 to 100
 * @param retryAfterJitterPercent how much longer than needed a refused caller may be told to wait,
 *     0 to 100
 * @param reloadEvery how often the settings are read again; never if absent
 */
public record LiveSettings(
    ConfiguredPolicies policies,
    AccessSettings access,
    int nearLimitPercent,
    int retryAfterJitterPercent,
    Optional<Duration> reloadEvery) {}
