package dev.comporta.server.store.redis;

import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.LimitStoreContract;
import dev.comporta.server.store.MicrosClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisLimitStoreContractIT extends LimitStoreContract {

  private static RedisServerProcess server;

  @BeforeAll
  static void startServer() {
    server = RedisServerProcess.started();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected LimitStore open(MicrosClock clock) {
    server.command("FLUSHALL");
    return new WaitingStore(
        RedisLimitStore.withGivenTime(
            RedisOptions.at(server.address()).within(Duration.ofSeconds(10)), clock));
  }
}
