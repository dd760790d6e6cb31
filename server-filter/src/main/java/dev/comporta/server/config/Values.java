package dev.comporta.server.config;

import dev.comporta.server.policy.PolicyFault;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads values one by one; what is wrong with one becomes a fault, and its default stands in. */
final class Values {

  private final Source source;
  private final Consumer<PolicyFault> faults;

  Values(Source source, Consumer<PolicyFault> faults) {
    this.source = source;
    this.faults = faults;
  }

  /** The value of a key without surrounding blanks, if it is set. */
  Optional<String> text(String key) {
    try {
      return source.value(key).map(String::strip).filter(text -> !text.isEmpty());
    } catch (IllegalArgumentException unreadable) {
      fault(key, String.valueOf(unreadable.getMessage()));
      return Optional.empty();
    }
  }

  /** The value as the parser reads it; the message of its IllegalArgumentException is the fault. */
  <T> Optional<T> parsed(String key, Function<String, T> parser) {
    return text(key).flatMap(text -> attempt(key, text, parser));
  }

  /**
   * The elements of a comma-separated value; empty if it is not set. One without any is a fault.
   */
  List<String> list(String key) {
    Optional<String> text = text(key);
    List<String> elements = text.map(Values::elements).orElse(List.of());
    if (text.isPresent() && elements.isEmpty()) {
      fault(key, "must have at least one element, was '" + text.get() + "'");
    }
    return elements;
  }

  /** The elements that the parser could read. */
  <T> List<T> parsedList(String key, Function<String, T> parser) {
    return list(key).stream().flatMap(one -> attempt(key, one, parser).stream()).toList();
  }

  /** A whole number in a range. */
  int number(SettingKey setting, int fallback, int min, int max) {
    return number(setting.key(), min, max).orElse(fallback);
  }

  /** A whole number in a range, if it is set. */
  Optional<Integer> number(String key, int min, int max) {
    return parsed(key, text -> inRange(text, min, max));
  }

  void fault(String key, String problem) {
    faults.accept(new PolicyFault(key, problem));
  }

  <T> Optional<T> attempt(String key, String text, Function<String, T> parser) {
    try {
      return Optional.of(parser.apply(text));
    } catch (IllegalArgumentException refused) {
      fault(key, String.valueOf(refused.getMessage()));
      return Optional.empty();
    }
  }

  static List<String> elements(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(element -> !element.isEmpty())
        .toList();
  }

  /** Reads a constant as settings spell it: {@code token-bucket} for {@code TOKEN_BUCKET}. */
  static <E extends Enum<E>> Function<String, E> oneOf(Class<E> type) {
    return oneOf(List.of(type.getEnumConstants()));
  }

  /** Reads one of these constants as settings spell it. */
  static <E extends Enum<E>> Function<String, E> oneOf(List<E> constants) {
    Map<String, E> bySpelling = new LinkedHashMap<>();
    for (E constant : constants) {
      bySpelling.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
    }
    return text -> {
      E constant = bySpelling.get(text.toLowerCase(Locale.ROOT));
      if (constant == null) {
        throw new IllegalArgumentException(
            "must be one of " + String.join(", ", bySpelling.keySet()) + ", was '" + text + "'");
      }
      return constant;
    };
  }

  private static int inRange(String text, int min, int max) {
    String rule = "must be a whole number, " + min + " to " + max + ", was '" + text + "'";
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException notOne) {
      throw new IllegalArgumentException(rule, notOne);
    }
    throw new IllegalArgumentException(rule);
  }
}
