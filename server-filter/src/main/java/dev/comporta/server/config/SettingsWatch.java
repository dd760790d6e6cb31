package dev.comporta.server.config;

import dev.comporta.server.config.SettingsReader.Reading;
import dev.comporta.server.policy.PolicyFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * How this works, and why. There is no thread: a request asks whether it is time, and one of those
 * that ask reads; the others go on with what they have. What is read first is the text of each
 * setting that someone has written. Only if one differs from the time before is all of it parsed
 * and checked, so that a period without a change costs some look-ups.
 *
 * A reading with a fault is refused as a whole and logged once, not once a period: the texts are
 * remembered even so. A setting that cannot change while the application runs is named in the log
 * when its text becomes another one than at the start.
 */
/** Reads the settings again when that is due, for a running application. Thread-safe. */
public final class SettingsWatch {

  private static final Logger LOG = LoggerFactory.getLogger(SettingsWatch.class);

  private final Supplier<Source> source;
  private final String defaultNamespace;
  private final AtomicBoolean isReading = new AtomicBoolean();
  private final Map<String, String> started;
  private Map<String, String> last; // guarded by isReading
  private String lastFailure = ""; // guarded by isReading
  private volatile long periodMicros; // Long.MAX_VALUE if settings are never read again
  private volatile long dueMicros;

  /**
   * A watch over settings that have just been read.
   *
   * @param source asked anew at each reading
   * @param defaultNamespace as for {@link SettingsReader#read}
   * @param settings what has been read
   */
  public SettingsWatch(
      Supplier<Source> source, String defaultNamespace, Settings settings, long nowMicros) {
    this.source = source;
    this.defaultNamespace = defaultNamespace;
    this.started = startTexts(source);
    this.last = started;
    this.periodMicros = micros(settings);
    this.dueMicros = due(nowMicros);
  }

  /**
   * Hands on what the settings are now, if it is time to look, they have changed, and they are
   * valid. Costs one look at a number when it is not. Who takes one reading has done so before the
   * next is read, so that an older one never takes the place of a newer one.
   *
   * @param taker gets a reading without faults; of its settings, those that are {@linkplain
   *     SettingKey#isLive() live} may differ from the ones before. Says whether it has taken them
   *     on: all of them, or none
   */
  public void readIfDue(long nowMicros, Predicate<Reading> taker) {
    if (!isDue(nowMicros) || !isReading.compareAndSet(false, true)) {
      return;
    }
    try {
      if (isDue(nowMicros)) {
        read(nowMicros, taker);
      }
    } finally {
      isReading.set(false);
    }
  }

  /** A clock that has been set back by more than a period must not stop the watch. */
  private boolean isDue(long nowMicros) {
    long due = dueMicros;
    long period = periodMicros;
    return period != Long.MAX_VALUE && (nowMicros >= due || due - nowMicros > period);
  }

  private void read(long nowMicros, Predicate<Reading> taker) {
    dueMicros = due(nowMicros);
    try {
      Source now = source.get();
      Map<String, String> texts = SettingTexts.of(now);
      if (texts.equals(last)) {
        lastFailure = "";
        return;
      }
      tellWhatNeedsARestart(texts);
      Reading reading = SettingsReader.read(now, defaultNamespace);
      last = texts;
      lastFailure = "";
      if (!reading.faults().isEmpty()) {
        tellRefused(reading.faults());
      } else if (taker.test(reading)) {
        periodMicros = micros(reading.settings());
        dueMicros = due(nowMicros);
      }
    } catch (RuntimeException unreadable) {
      tellUnreadable(unreadable);
    }
  }

  private void tellWhatNeedsARestart(Map<String, String> texts) {
    for (String key : SettingTexts.differing(last, texts)) {
      boolean isNew = SettingTexts.isDifferent(key, started, texts);
      boolean needsRestart = SettingKey.of(key).filter(setting -> !setting.isLive()).isPresent();
      if (isNew && needsRestart) {
        LOG.warn("{} has changed, which needs a restart; the value of the start stays", key);
      }
    }
  }

  private static void tellRefused(List<PolicyFault> faults) {
    LOG.error(
        "The settings have changed and are not valid, {} fault(s); those before stay: {}",
        faults.size(),
        faults);
  }

  private void tellUnreadable(RuntimeException unreadable) {
    if (!unreadable.toString().equals(lastFailure)) {
      LOG.error("The settings cannot be read again; those before stay", unreadable);
    }
    lastFailure = unreadable.toString();
  }

  /** What cannot be read now is taken as changed when it can be. */
  private static Map<String, String> startTexts(Supplier<Source> source) {
    try {
      return SettingTexts.of(source.get());
    } catch (RuntimeException unreadable) {
      LOG.warn("The settings cannot be read again now", unreadable);
      return Map.of();
    }
  }

  private long due(long nowMicros) {
    long period = periodMicros;
    return period == Long.MAX_VALUE ? Long.MAX_VALUE : nowMicros + period;
  }

  private static long micros(Settings settings) {
    return settings
        .live()
        .reloadEvery()
        .map(Duration::toMillis)
        .map(TimeUnit.MILLISECONDS::toMicros)
        .orElse(Long.MAX_VALUE);
  }
}
