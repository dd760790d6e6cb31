package dev.comporta.server.store.redis;

import dev.comporta.server.store.Change;
import dev.comporta.server.store.MicrosClock;
import dev.comporta.server.store.MonotonicClock;
import dev.comporta.server.store.SharedChanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes in Redis: one hash for each application, which scripts look at and write to, at the
 * master. A look that finds nothing new costs one short reply. Thread-safe.
 *
 * <p>The clock is that of Redis: each reply tells it, and between two replies the node counts on by
 * a clock that nobody sets. So the clock of the node may be wrong by any amount.
 */
final class RedisChanges implements SharedChanges {

  /** So many are told at once within some milliseconds. */
  static final int MOST = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(RedisChanges.class);

  /** How long changes are kept when no node looks: an application that is gone leaves nothing. */
  private static final Duration KEPT = Duration.ofDays(30);

  private static final String NO_END = "-";
  private static final int TIME = 0;
  private static final int VERSION = 1;
  private static final int FIRST_CHANGE = 2;
  private static final int WRITTEN = 1;
  private static final int ENDS = 2;

  private final RedisConnection connection;
  private final ChangeScripts scripts;
  private final String key;
  private final MonotonicClock monotonic;
  private volatile Seen last;

  /** What the clock of Redis showed, and when. */
  private record Seen(long micros, long nanos) {}

  /**
   * Those of one application.
   *
   * @param key where they are kept
   */
  RedisChanges(
      RedisConnection connection, ChangeScripts scripts, String key, MonotonicClock monotonic) {
    this.connection = connection;
    this.scripts = scripts;
    this.key = key;
    this.monotonic = monotonic;
    this.last = new Seen(0, monotonic.nowNanos());
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public int most() {
    return MOST;
  }

  @Override
  public MicrosClock clock() {
    return () -> {
      Seen seen = last;
      return seen.micros() + (monotonic.nowNanos() - seen.nanos()) / 1_000;
    };
  }

  @Override
  public CompletionStage<Sighting> look(String version) {
    return call(scripts.look(), List.of(version, millisKept()))
        .reply()
        .thenApply(reply -> sighting(reply, version));
  }

  @Override
  public CompletionStage<?> putBack(Map<String, Change> lost) {
    List<Object> arguments = ofWriting();
    lost.forEach(
        (name, change) -> {
          arguments.add(name);
          arguments.add(ChangeText.of(change));
        });
    return call(scripts.putBack(), arguments).reply().thenAccept(this::noteTime);
  }

  @Override
  public Outcome write(Wanted wanted) {
    Optional<Change> known = wanted.known();
    List<Object> arguments = ofWriting();
    arguments.add(wanted.name());
    arguments.add(wanted.text());
    arguments.add(wanted.lasting().map(RedisChanges::micros).orElse(NO_END));
    arguments.add(known.map(Change::writtenMicros).orElse(0L));
    arguments.add(known.map(Change::endsAtMicros).map(ChangeText::end).orElse(NO_END));
    return call(scripts.write(), arguments).await(reply -> outcome(reply, wanted.text()));
  }

  private ChangeCall call(String script, List<?> arguments) {
    ChangeCall call = new ChangeCall(key, script, scripts.arguments(arguments));
    call.begin(connection.patientScript());
    return call;
  }

  /** What the scripts that write begin with. */
  private static List<Object> ofWriting() {
    return new ArrayList<>(List.of(UUID.randomUUID().toString(), millisKept(), MOST));
  }

  private Sighting sighting(List<Object> reply, String known) {
    noteTime(reply);
    String version = reply.get(VERSION).toString();
    if (version.equals(known)) {
      return new Sighting(version, Optional.empty());
    }
    Map<String, Change> all = new LinkedHashMap<>();
    for (int i = FIRST_CHANGE; i < reply.size(); i += 2) {
      Optional<Change> change = ChangeText.parse(reply.get(i + 1).toString());
      if (change.isPresent()) {
        all.put(reply.get(i).toString(), change.get());
      } else {
        LOG.error("A change of running code in Redis cannot be read, and is left out");
      }
    }
    return new Sighting(version, Optional.of(all));
  }

  private Outcome outcome(List<Object> reply, String text) {
    noteTime(reply);
    if (reply.size() <= WRITTEN) {
      return new Outcome.Unneeded();
    }
    if (reply.size() <= ENDS) {
      return new Outcome.Full();
    }
    OptionalLong ends = ChangeText.parseEnd(reply.get(ENDS).toString());
    long writtenMicros = Long.parseLong(reply.get(WRITTEN).toString());
    return new Outcome.Written(new Change(text, writtenMicros, ends));
  }

  private void noteTime(List<Object> reply) {
    last = new Seen(Long.parseLong(reply.get(TIME).toString()), monotonic.nowNanos());
  }

  private static String micros(Duration span) {
    return Long.toString(span.toNanos() / 1_000);
  }

  private static String millisKept() {
    return Long.toString(KEPT.toMillis());
  }
}
