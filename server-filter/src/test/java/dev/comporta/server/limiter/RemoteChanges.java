package dev.comporta.server.limiter;

import dev.comporta.server.store.Change;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.SharedChanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Changes that several nodes of a test share; it answers a look when the test says so. */
final class RemoteChanges implements SharedChanges {

  private final Map<String, Change> all = new LinkedHashMap<>();
  private final List<CompletableFuture<Sighting>> asked = new ArrayList<>();
  private final MicrosClock clock;
  private long version;

  RemoteChanges(MicrosClock clock) {
    this.clock = clock;
  }

  /** Every look so far, answered or not. */
  List<CompletableFuture<Sighting>> asked() {
    return asked;
  }

  /** What is there, whatever is known. */
  Sighting sighting() {
    return new Sighting(Long.toString(version), Optional.of(Map.copyOf(all)));
  }

  /** As a node writes that has another version of the application. */
  void put(String name, String text) {
    all.put(name, new Change(text, clock.nowMicros(), OptionalLong.empty()));
    version++;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public int most() {
    return 3;
  }

  @Override
  public MicrosClock clock() {
    return clock;
  }

  @Override
  public CompletionStage<Sighting> look(String known) {
    CompletableFuture<Sighting> answer = new CompletableFuture<>();
    asked.add(answer);
    return answer;
  }

  @Override
  public Outcome write(Wanted wanted) {
    OptionalLong ends =
        wanted
            .lasting()
            .map(span -> OptionalLong.of(clock.nowMicros() + span.toNanos() / 1_000))
            .orElse(OptionalLong.empty());
    Change change = new Change(wanted.text(), clock.nowMicros(), ends);
    all.put(wanted.name(), change);
    version++;
    return new Outcome.Written(change);
  }

  @Override
  public CompletionStage<?> putBack(Map<String, Change> lost) {
    lost.forEach(all::putIfAbsent);
    version++;
    return CompletableFuture.completedFuture(lost.size());
  }
}
