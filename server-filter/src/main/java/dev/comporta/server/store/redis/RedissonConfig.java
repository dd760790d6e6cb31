package dev.comporta.server.store.redis;

import java.time.Duration;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** The Redisson configuration for short scripts and nothing else. */
final class RedissonConfig {

  /*
   * Redisson's defaults are for an application that does everything with it: 32 Netty threads, 16
   * threads for listeners, 64 connections. For one short script at a time that costs twice the CPU
   * of the figures here, on both sides.
   */
  private static final int NETTY_THREADS = 2;
  private static final int LISTENER_THREADS = 2;
  private static final int CONNECTIONS = 8;
  private static final int IDLE_CONNECTIONS = 2;

  /** Connecting is done apart from requests, and TLS takes several round trips. */
  private static final int CONNECT_BUDGETS = 10;

  private RedissonConfig() {}

  static Config of(RedisOptions options) {
    Config config = base(options);
    Config defaults = new Config();
    if (config.getNettyThreads() == defaults.getNettyThreads()) {
      config.setNettyThreads(NETTY_THREADS);
    }
    if (config.getThreads() == defaults.getThreads()) {
      config.setThreads(LISTENER_THREADS);
    }
    return config.setLazyInitialization(true).setCodec(StringCodec.INSTANCE);
  }

  private static Config base(RedisOptions options) {
    if (options.server() instanceof RedisOptions.Server.ConfigFile file) {
      return RedissonFile.read(file.path());
    }
    return single((RedisOptions.Server.Address) options.server(), options.timeBudget());
  }

  private static Config single(RedisOptions.Server.Address address, Duration budget) {
    Config config = new Config();
    int millis = Math.toIntExact(budget.toMillis());
    config
        .useSingleServer()
        .setAddress(address.uri())
        .setConnectionPoolSize(CONNECTIONS)
        .setConnectionMinimumIdleSize(IDLE_CONNECTIONS)
        .setSubscriptionConnectionMinimumIdleSize(0)
        .setSubscriptionConnectionPoolSize(1)
        .setRetryAttempts(0)
        .setTimeout(millis)
        .setConnectTimeout(CONNECT_BUDGETS * millis);
    return config;
  }
}
