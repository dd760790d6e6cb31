package dev.comporta.server.store.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Redis cluster of three masters on the loopback interface, each with a third of the slots. */
final class RedisClusterProcesses implements AutoCloseable {

  private static final int MASTERS = 3;
  private static final int SLOTS = 16_384;

  private final List<RedisServerProcess> masters = new ArrayList<>();

  private RedisClusterProcesses() {}

  static RedisClusterProcesses started() {
    RedisClusterProcesses cluster = new RedisClusterProcesses();
    for (int i = 0; i < MASTERS; i++) {
      cluster.masters.add(
          RedisServerProcess.started(
              "--cluster-enabled",
              "yes",
              "--cluster-port",
              Integer.toString(RedisServerProcess.freePort()),
              "--cluster-node-timeout",
              "15000"));
    }
    for (int i = 0; i < MASTERS; i++) {
      cluster.serve(i, SLOTS * i / MASTERS, SLOTS * (i + 1) / MASTERS - 1);
    }
    cluster.meet();
    return cluster;
  }

  private void serve(int master, int first, int last) {
    masters
        .get(master)
        .command("CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
    masters.get(master).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(master + 1));
  }

  private void meet() {
    RedisServerProcess first = masters.get(0);
    for (RedisServerProcess other : masters.subList(1, MASTERS)) {
      String busPort =
          other.command("CONFIG", "GET", "cluster-port").lines().reduce((a, b) -> b).orElseThrow();
      first.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()), busPort);
    }
    RedisServerProcess.await(
        "the cluster serves all slots", () -> masters.stream().allMatch(this::isWhole));
  }

  private boolean isWhole(RedisServerProcess master) {
    String info = master.command("CLUSTER", "INFO");
    return info.contains("cluster_state:ok")
        && info.contains("cluster_slots_ok:" + SLOTS)
        && info.contains("cluster_known_nodes:" + MASTERS);
  }

  List<RedisServerProcess> masters() {
    return masters;
  }

  /** The master that serves the slot of that key. */
  RedisServerProcess masterOf(String key) {
    int slot = HashSlot.of(key);
    for (int i = 0; i < MASTERS; i++) {
      if (slot < SLOTS * (i + 1) / MASTERS) {
        return masters.get(i);
      }
    }
    throw new IllegalArgumentException("no such slot: " + slot);
  }

  /** Lets another master serve the slot of that key, and gives it that key. */
  void move(String key, RedisServerProcess from, RedisServerProcess to) {
    String slot = Integer.toString(HashSlot.of(key));
    String idOfTarget = to.command("CLUSTER", "MYID");
    to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", from.command("CLUSTER", "MYID"));
    from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", idOfTarget);
    from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "5000");
    to.command("CLUSTER", "SETSLOT", slot, "NODE", idOfTarget);
    from.command("CLUSTER", "SETSLOT", slot, "NODE", idOfTarget);
  }

  void forgetAll() {
    masters.forEach(master -> master.command("FLUSHALL"));
  }

  /** What an application is configured with. */
  RedisOptions options() {
    try {
      Path file = Files.createTempFile("cluster", ".yaml");
      file.toFile().deleteOnExit();
      Files.writeString(
          file,
          "clusterServersConfig:\n  timeout: 5000\n  connectTimeout: 5000\n  nodeAddresses:\n"
              + String.join(
                  "", masters.stream().map(one -> "    - \"" + one.address() + "\"\n").toList()));
      return RedisOptions.configuredBy(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    masters.forEach(RedisServerProcess::close);
  }
}
