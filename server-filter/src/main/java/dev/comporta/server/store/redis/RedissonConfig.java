package dev.comporta.server.store.redis;

import java.time.Duration;
import java.util.Optional;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import org.redisson.config.DelayStrategy;
import org.redisson.config.EqualJitterDelay;

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

  /*
   * Redisson's pause between two tries to connect doubles up to 10 s, and after a long outage limits
   * would be shared again as much later. A try costs next to nothing; the jitter keeps the nodes
   * from trying in step.
   */
  private static final DelayStrategy RECONNECTION =
      new EqualJitterDelay(Duration.ofMillis(50), Duration.ofMillis(250));

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
    servers(config)
        .filter(RedissonConfig::hasDefaultReconnection)
        .ifPresent(servers -> servers.setReconnectionDelay(RECONNECTION));
    return config.setLazyInitialization(true).setCodec(StringCodec.INSTANCE);
  }

  /** What a file says of the servers, in one of the three forms that Redisson tells apart. */
  private static Optional<BaseConfig<?>> servers(Config config) {
    if (config.isSingleConfig()) {
      return Optional.of(config.useSingleServer());
    }
    if (config.isSentinelConfig()) {
      return Optional.of(config.useSentinelServers());
    }
    return config.isClusterConfig() ? Optional.of(config.useClusterServers()) : Optional.empty();
  }

  private static boolean hasDefaultReconnection(BaseConfig<?> servers) {
    return servers.getReconnectionDelay() instanceof EqualJitterDelay delay
        && new Config().useSingleServer().getReconnectionDelay()
            instanceof EqualJitterDelay standard
        && delay.getBaseDelay().equals(standard.getBaseDelay())
        && delay.getMaxDelay().equals(standard.getMaxDelay());
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
