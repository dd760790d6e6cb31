package dev.comporta.server.store.redis;

import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.LimitStoreContract;
import dev.comporta.server.store.MicrosClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a cluster, each limit of a request in a slot of its own. */
class SlotwiseStoreContractIT extends LimitStoreContract {

  private static RedisClusterProcesses cluster;

  @BeforeAll
  static void startCluster() {
    cluster = RedisClusterProcesses.started();
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @Override
  protected LimitStore open(MicrosClock clock) {
    cluster.forgetAll();
    RedisOptions options = cluster.options().within(Duration.ofSeconds(10));
    return new TaggedStore(
        new WaitingStore(RedisStores.ofAnySlots(RedisLimitStore.withGivenTime(options, clock))));
  }
}
