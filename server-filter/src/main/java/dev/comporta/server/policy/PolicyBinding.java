package dev.comporta.server.policy;

/**
 * What applies to one resource method: a policy, and what a request costs.
 *
 * @param policy the policy
 * @param cost permits per request, 1 to the policy's smallest limit
 */
public record PolicyBinding(Policy policy, long cost) {}
