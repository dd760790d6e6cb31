package dev.comporta.server.store;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What the running code of an application has changed, by name, where every node finds it. It does
 * not know what the names and texts mean. Thread-safe.
 *
 * <p>Each change is written alone, at one instant, and of two under one name the later holds. So
 * two nodes that write at once never lose one another's changes, and need not know them.
 */
public interface SharedChanges {

  /** Whether another node may write. If not, there is nothing to look for. */
  boolean isShared();

  /** How many changes there may be at once. */
  int most();

  /** By which changes end. Reads no clock but that of the store, as far as this node knows it. */
  MicrosClock clock();

  /**
   * Asks for what has changed; returns at once. Fails with {@link StoreException}.
   *
   * @param version that of the last sighting; {@code ?} to be told all
   */
  CompletionStage<Sighting> look(String version);

  /** Writes one change, and waits until the store has answered, 2 s at most. Never throws. */
  Outcome write(Wanted wanted);

  /**
   * Gives to the store what it has lost; the later of one name stays. Returns at once. Fails with
   * {@link StoreException}.
   */
  CompletionStage<?> putBack(Map<String, Change> lost);

  /**
   * What a store holds.
   *
   * @param version tells it from every other state of the store
   * @param all every change by its name; nothing if the version is the one that is known
   */
  record Sighting(String version, Optional<Map<String, Change>> all) {}

  /**
   * A change that is to be made.
   *
   * @param name of which there is one change
   * @param text what it says; empty to take back what there is
   * @param lasting how long it holds by the clock of the store; without end if absent
   * @param known the change of that name that this node knows
   */
  record Wanted(String name, String text, Optional<Duration> lasting, Optional<Change> known) {}

  /** What became of a change. */
  sealed interface Outcome {

    /** It is written, and this is it. */
    record Written(Change change) implements Outcome {}

    /** There was nothing to take back. */
    record Unneeded() implements Outcome {}

    /** There are as many changes as there may be. */
    record Full() implements Outcome {}

    /**
     * The store did not confirm it.
     *
     * @param reason without keys and callers
     * @param mayBeWritten whether the store may have taken it nevertheless
     */
    record Failed(String reason, boolean mayBeWritten) implements Outcome {}
  }
}
