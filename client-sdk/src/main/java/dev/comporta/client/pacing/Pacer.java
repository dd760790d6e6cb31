package dev.comporta.client.pacing;

import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Decides when the next request to one bucket of a server may leave, so that it is not refused. A
 * state machine without clock, thread or lock: the time is an argument, in micros of any monotonic
 * clock. Not thread-safe: its owner holds a lock (the gate) or has one thread.
 *
 * <p>It is asked with {@link #acquire} by one request after the other, and told each answer. It
 * obeys every window that the server tells. Until the first answer it lets one request leave, for
 * at most {@value #COLD_WAIT_MICROS} micros; when the answer tells no window it holds nothing until
 * the server refuses. After a refusal two requests leave, and one more at a time with each answer.
 */
public final class Pacer {

  /** A server that is slow to answer must not make all callers wait for its first answer. */
  static final long COLD_WAIT_MICROS = 500_000;

  /**
   * Windows of one bucket that are obeyed; of more the one that was told longest ago is forgotten.
   */
  private static final int MOST_WINDOWS = 8;

  /**
   * Requests after which a window without a name that is told no more is forgotten: its limit has
   * changed, or another window of the server binds.
   */
  private static final long UNTOLD_REQUESTS = 5;

  /**
   * How long all requests rest after a refusal of which the answer does not say why or how long.
   */
  private static final Duration UNEXPLAINED_REST = Duration.ofSeconds(1);

  private static final long LONGEST_STAGGER_MICROS = 250_000;

  /**
   * What servers say for any wait from 0 to 1 s. The refused request waits that long; for the
   * others the model knows better, where there is one: all together would lose up to a second.
   */
  private static final Duration SHORTEST_IN_WHOLE_SECONDS = Duration.ofSeconds(1);

  /** Begins what a window without a name is known by. */
  private static final String UNNAMED = "#";

  private final RandomGenerator random;
  private final Pacing pacing;
  private final Traffic traffic = new Traffic();
  private final Map<String, WindowModel> models = new LinkedHashMap<>(16, 0.75f, true);
  private final List<WindowModel> told = new ArrayList<>();
  private long closedUntil = Long.MIN_VALUE;
  private long firstSent;
  private long newest;
  private boolean hasAnswer;
  private boolean hasRefusal;
  private int ramp = 1;

  /**
   * A pacer that knows nothing yet. The generator staggers what would else happen at one instant.
   */
  public Pacer(RandomGenerator random) {
    this(random, Pacing.EAGER);
  }

  /** The same, in that way; {@link Pacing#OFF} is the same as {@link Pacing#EAGER} here. */
  public Pacer(RandomGenerator random, Pacing pacing) {
    this.random = random;
    this.pacing = pacing;
  }

  /** Lets the next request leave, or says when to ask again. */
  public Permission acquire(long nowMicros) {
    long until = earliest(nowMicros);
    if (until > nowMicros) {
      return new Permission.Wait(until);
    }
    if (traffic.inFlight() == 0 && !hasAnswer) {
      firstSent = nowMicros;
    }
    models.values().forEach(model -> model.sent(nowMicros, traffic));
    return new Permission.Granted(traffic.send(nowMicros));
  }

  /** Learns from the answer to a request. */
  public void answered(Ticket ticket, Answer answer, long nowMicros) {
    traffic.answered(ticket, nowMicros);
    hasAnswer = true;
    hasRefusal |= answer.isRefused();
    learn(ticket, answer, nowMicros);
    ramp = answer.isRefused() ? 2 : Math.min(ramp + 1, 1_000_000);
  }

  /**
   * Forgets a request to which no answer came; it may have been counted, and stays counted here.
   */
  public void lost(Ticket ticket) {
    traffic.lost(ticket);
  }

  /** Learns from a request that left without being paced, such as an asynchronous one. */
  public void observed(long sentMicros, Answer answer, long nowMicros) {
    models.values().forEach(model -> model.sent(sentMicros, traffic));
    answered(traffic.send(sentMicros), answer, nowMicros);
  }

  /** Requests that left and are not answered yet. */
  int inFlight() {
    return traffic.inFlight();
  }

  /** Windows that are obeyed. */
  int windows() {
    return models.size();
  }

  @Override
  public String toString() {
    String windows =
        models.isEmpty()
            ? "no limit told"
            : models.entrySet().stream()
                .map(model -> model.getKey() + ": " + model.getValue())
                .collect(Collectors.joining("; "));
    return windows + "; " + traffic.inFlight() + " in flight";
  }

  private long earliest(long now) {
    if (closedUntil > now) {
      return closedUntil;
    }
    if (!hasAnswer) {
      boolean isFirst = traffic.inFlight() == 0;
      return isFirst ? now : Math.max(now, firstSent + COLD_WAIT_MICROS);
    }
    if (models.isEmpty() && !hasRefusal) {
      return now;
    }
    if (traffic.inFlight() >= ramp) {
      return now + (long) Math.max(1_000, traffic.roundTripMicros());
    }
    long earliest = now;
    for (WindowModel model : models.values()) {
      boolean isTold = told.contains(model);
      earliest =
          Math.max(earliest, isTold ? model.earliest(now, traffic) : model.earliestUntold(now));
    }
    return earliest;
  }

  private void learn(Ticket ticket, Answer answer, long now) {
    RateLimitSnapshot snapshot = answer.snapshot();
    boolean isNewest = ticket.number() > newest;
    if (isNewest && !snapshot.windows().isEmpty()) {
      newest = ticket.number();
      told.clear();
    }
    boolean isAnyExhausted = snapshot.windows().stream().anyMatch(Window::isExhausted);
    for (Window window : snapshot.windows()) {
      Optional<WindowModel> model = model(window, ticket.sentMicros(), now);
      if (model.isPresent() && window.remaining().isPresent()) {
        boolean isRefusing = answer.isRefused() && window.isExhausted();
        model.get().answered(ticket, window, isRefusing, now, traffic);
        if (isNewest) {
          told.add(model.get());
        }
      }
    }
    if (isNewest && !told.isEmpty()) {
      models
          .entrySet()
          .removeIf(
              known ->
                  known.getKey().startsWith(UNNAMED)
                      && ticket.number() - known.getValue().newest() > UNTOLD_REQUESTS);
    }
    if (answer.isRefused()) {
      boolean isModelled = isNewest && isAnyExhausted;
      if (!isAnyExhausted && snapshot.waitHint().isEmpty()) {
        close(UNEXPLAINED_REST, now);
      }
      snapshot
          .waitHint()
          .filter(hint -> !isModelled || hint.compareTo(SHORTEST_IN_WHOLE_SECONDS) > 0)
          .ifPresent(hint -> close(hint, now));
    }
  }

  private Optional<WindowModel> model(Window window, long sentMicros, long now) {
    if (window.limit().orElse(0) == 0) {
      return Optional.empty();
    }
    long limit = window.limit().getAsLong();
    String id =
        window
            .name()
            .or(() -> window.length().map(length -> UNNAMED + length))
            .orElse(UNNAMED + limit);
    WindowModel known = models.get(id);
    if (known == null || !known.isOf(window, limit)) {
      WindowModel before = known;
      known = new WindowModel(window, limit, pacing, now, random);
      if (before == null) {
        known.begin(sentMicros, sentSoFar(known, now));
      } else {
        known.goOnFrom(before);
      }
      models.put(id, known);
      if (models.size() > MOST_WINDOWS) {
        models.remove(models.keySet().iterator().next());
      }
    }
    return Optional.of(known);
  }

  /** Requests from here that a window may count which an answer tells for the first time. */
  private long sentSoFar(WindowModel window, long now) {
    return now - firstSent <= window.windowMicros()
        ? Math.max(1, traffic.sentAfter(0))
        : 1 + traffic.inFlight();
  }

  private void close(Duration hint, long now) {
    long stagger = (long) (random.nextDouble() * LONGEST_STAGGER_MICROS);
    closedUntil = Math.max(closedUntil, now + hint.toNanos() / 1000 + stagger);
  }
}
