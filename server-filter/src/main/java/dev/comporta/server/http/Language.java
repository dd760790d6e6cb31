package dev.comporta.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PropertyResourceBundle;
import java.util.ResourceBundle;
import java.util.stream.Collectors;

/** A language in which a refusal is explained. English for who reads none of them. */
enum Language {
  ENGLISH("en"),
  PORTUGUESE("pt"),
  SPANISH("es");

  /* From here, Spanish and Portuguese say "un millón de segundos", and so they do in digits. */
  private static final long MILLION = 1_000_000;

  private static final Map<Language, ResourceBundle> MESSAGES =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(language -> language, it -> read(it.tag)));

  private final String tag;

  Language(String tag) {
    this.tag = tag;
  }

  /** Its name on the wire. */
  String tag() {
    return tag;
  }

  /**
   * The language for that {@code Accept-Language}: the one with the greatest weight, among equals
   * the first. A region or script makes no difference, and {@code *} asks for none in particular.
   *
   * <p>Source: RFC 9110, section 12.5.4; RFC 4647, section 3.4.
   */
  static Language chosenBy(Optional<String> acceptLanguage) {
    Language best = ENGLISH;
    int bestThousandths = 0;
    for (Preference range : acceptLanguage.map(Preference::listOf).orElse(List.of())) {
      Optional<Language> named = named(range.name());
      if (named.isPresent() && range.thousandths() > bestThousandths) {
        best = named.get();
        bestThousandths = range.thousandths();
      }
    }
    return best;
  }

  /** Why a request is refused, and when to come back if that helps. */
  String explain(Refusal refusal) {
    String why = messages().getString(refusal.kind().messageKey());
    if (refusal.retryAfterSeconds().isEmpty()) {
      return why;
    }
    long seconds = refusal.retryAfterSeconds().getAsLong();
    String when = messages().getString("try-again." + plural(seconds));
    return why + " " + when.replace("{seconds}", Long.toString(seconds));
  }

  /** What the type of its problem is called. */
  String title(Refusal refusal) {
    return messages().getString(refusal.kind().titleKey());
  }

  ResourceBundle messages() {
    return Objects.requireNonNull(MESSAGES.get(this), tag);
  }

  /* Source: Unicode CLDR, plural rules of en, es, pt for whole numbers from 1. */
  private static String plural(long count) {
    if (count == 1) {
      return "one";
    }
    return count % MILLION == 0 ? "many" : "other";
  }

  private static Optional<Language> named(String range) {
    for (Language language : values()) {
      if (range.equals(language.tag) || range.startsWith(language.tag + "-")) {
        return Optional.of(language);
      }
    }
    return Optional.empty();
  }

  /*
   * Not ResourceBundle.getBundle: it falls back to the language of the machine, asks the class
   * loader of whoever calls, and reads in a charset that a system property can change.
   */
  private static ResourceBundle read(String tag) {
    String file = "refusals_" + tag + ".properties";
    try (InputStream stream =
            Objects.requireNonNull(Language.class.getResourceAsStream(file), file);
        Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
      return new PropertyResourceBundle(reader);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot read " + file, unreadable);
    }
  }
}
