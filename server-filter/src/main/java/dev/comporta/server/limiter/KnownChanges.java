package dev.comporta.server.limiter;

import dev.comporta.server.store.Change;
import dev.comporta.server.store.SharedChanges.Sighting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/*
 * How this works, and why. Of two changes under one name the later one holds, by the clock of the
 * store, wherever one is met: so it does not matter in which order a node learns of them, nor
 * whether Redis has been flushed, has expired them, or was replaced by a replica that had not heard
 * of the last one. A change that was taken back is kept as such, or a node that slept would bring
 * it to life again.
 */
/** What a node knows of the changes of running code. Not thread-safe. */
final class KnownChanges {

  /** Of no store: what it holds has not been seen yet, or is not what was seen last. */
  private static final String UNSEEN = "?";

  private final Map<String, Change> byName = new HashMap<>();
  private String version = UNSEEN;

  /** The version of the store that this node has seen last. */
  String version() {
    return version;
  }

  Optional<Change> of(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** What it says to apply, and what the store has lost. */
  record Difference(Map<String, Change> news, Map<String, Change> lost) {}

  /** Learns what a store holds. */
  Difference see(Sighting sighting, long nowMicros) {
    version = sighting.version();
    if (sighting.all().isEmpty()) {
      return new Difference(Map.of(), Map.of());
    }
    Map<String, Change> stored = sighting.all().get();
    Map<String, Change> news = new LinkedHashMap<>();
    stored.forEach(
        (name, change) -> {
          if (change.isNewerThan(of(name))) {
            news.put(name, change);
          }
        });
    byName.putAll(news);
    forgetEnded(nowMicros);
    Map<String, Change> lost = new LinkedHashMap<>();
    byName.forEach(
        (name, change) -> {
          if (change.isNewerThan(Optional.ofNullable(stored.get(name)))) {
            lost.put(name, change);
          }
        });
    if (!lost.isEmpty()) {
      version = UNSEEN;
    }
    return new Difference(news, lost);
  }

  /** Learns of a change that this node has written. */
  void wrote(String name, Change change) {
    byName.put(name, change);
    version = UNSEEN;
  }

  /** Meets that change anew at the next sighting, since it could not be followed. */
  void forget(String name) {
    byName.remove(name);
    version = UNSEEN;
  }

  /** Whether there are so many that none can be added under that name. */
  boolean isFull(String name, int most) {
    return byName.size() >= most && !byName.containsKey(name);
  }

  /** Makes room. */
  void forgetEnded(long nowMicros) {
    List<String> ended = new ArrayList<>();
    byName.forEach(
        (name, change) -> {
          if (change.hasEnded(nowMicros)) {
            ended.add(name);
          }
        });
    ended.forEach(byName::remove);
  }
}
