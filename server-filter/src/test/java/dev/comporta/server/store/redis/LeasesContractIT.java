package dev.comporta.server.store.redis;

import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.LimitStoreContract;
import dev.comporta.server.store.MicrosClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Where usage is looked at, after all leases have ended: until then, it is more than was used. */
class LeasesContractIT extends LimitStoreContract {

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
    AtomicLong nanos = new AtomicLong();
    RedisLimitStore store =
        RedisLimitStore.withGivenTime(
            RedisOptions.at(server.address()).within(Duration.ofSeconds(10)),
            clock,
            () -> nanos.accumulateAndGet(clock.nowMicros() * 1_000, Math::max));
    return new LeasingStore(store, 4, () -> store.endLeases().toCompletableFuture().join());
  }
}
