package dev.comporta.server.store;

import dev.comporta.server.algorithm.RateAlgorithm;

/**
 * A limit, and the key under which a caller's usage of it is counted.
 *
 * @param key tells application, policy, limit with its algorithm, and caller; holds no identity in
 *     clear
 * @param limit how it counts
 */
public record KeyedLimit(String key, RateAlgorithm limit) {}
