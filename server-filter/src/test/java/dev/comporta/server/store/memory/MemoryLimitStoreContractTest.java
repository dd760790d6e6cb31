package dev.comporta.server.store.memory;

import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.LimitStoreContract;
import dev.comporta.server.store.MicrosClock;

class MemoryLimitStoreContractTest extends LimitStoreContract {

  @Override
  protected LimitStore open(MicrosClock clock) {
    return new MemoryLimitStore(1_000, clock);
  }
}
