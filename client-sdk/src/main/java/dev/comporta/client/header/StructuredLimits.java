package dev.comporta.client.header;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.greenbytes.http.sfv.Parametrizable;

/**
 * The {@code RateLimit} and {@code RateLimit-Policy} fields of the IETF draft. Version 11 is what
 * is meant; a Token for a String, {@code a} for {@code r} and {@code w} for {@code t} are accepted
 * since later versions may have them, and the dictionary of version 7 since servers still send it.
 * A limit in a unit other than requests has that unit: it says nothing about how many may be sent.
 */
final class StructuredLimits {

  private static final FieldName RATE_LIMIT = FieldName.of("RateLimit");
  private static final FieldName POLICY = FieldName.of("RateLimit-Policy");
  private static final Pattern DICTIONARY = Pattern.compile("[a-z*][a-z0-9_.*-]*=");
  private static final String REQUESTS = "requests";

  /** Parameters of Comporta's servers: how they count, and {@code t} and {@code w} in millis. */
  private static final String COUNTING = "comporta-by";

  private static final String RESET_MILLIS = "comporta-t";
  private static final String LENGTH_MILLIS = "comporta-w";

  private StructuredLimits() {}

  /** A member of {@code RateLimit-Policy}. */
  private record Policy(
      String name,
      Optional<String> key,
      String unit,
      long limit,
      Optional<Duration> length,
      Optional<Counting> counting) {

    boolean isOf(String otherName, Optional<String> otherKey) {
      return name.equals(otherName)
          && (key.isEmpty() || otherKey.isEmpty() || key.equals(otherKey));
    }

    Window untold() {
      return new Window(
          Optional.of(fullName(name, key)),
          OptionalLong.of(limit),
          OptionalLong.empty(),
          Optional.empty(),
          length,
          terms(false));
    }

    /** How the server counts is of use only beside times that are exact. */
    Window.Terms terms(boolean isExact) {
      Window.Terms terms = unit.equals(REQUESTS) ? Window.Terms.REQUESTS : Window.Terms.of(unit);
      return isExact && counting.isPresent() ? terms.countedBy(counting.get()) : terms;
    }
  }

  /** The windows of {@code RateLimit}; none when it is absent or malformed. */
  static List<Window> read(HeaderLines header) {
    Optional<String> field = header.joined(RATE_LIMIT);
    if (field.isEmpty()) {
      return List.of();
    }
    if (DICTIONARY.matcher(field.get()).lookingAt()) {
      return dictionary(header, field.get());
    }
    return list(field.get(), policies(header));
  }

  /** The windows of a response that has policies and tells no state of them. */
  static List<Window> policiesAlone(HeaderLines header) {
    return policies(header).stream().map(Policy::untold).toList();
  }

  private static List<Window> list(String field, List<Policy> policies) {
    List<Window> windows = new ArrayList<>();
    List<Policy> untold = new ArrayList<>(policies);
    for (Parametrizable<?> member : StructuredFields.list(field)) {
      Optional<String> name = StructuredFields.name(member);
      OptionalLong remaining = StructuredFields.count(member, "r", "a");
      if (name.isEmpty() || remaining.isEmpty()) {
        continue;
      }
      Optional<String> key = StructuredFields.bytes(member, "pk");
      Optional<Policy> policy = policies.stream().filter(p -> p.isOf(name.get(), key)).findFirst();
      policy.ifPresent(untold::remove);
      windows.add(window(member, fullName(name.get(), key), remaining.getAsLong(), policy));
    }
    if (!windows.isEmpty()) {
      untold.stream().map(Policy::untold).forEach(windows::add);
    }
    return windows;
  }

  private static Window window(
      Parametrizable<?> member, String name, long remaining, Optional<Policy> policy) {
    OptionalLong limit =
        policy.isPresent() ? OptionalLong.of(policy.get().limit()) : OptionalLong.empty();
    Optional<Duration> millis = millis(member, RESET_MILLIS);
    return new Window(
        Optional.of(name),
        limit,
        OptionalLong.of(Math.min(remaining, limit.orElse(remaining))),
        millis.or(() -> seconds(StructuredFields.count(member, "t", "w"))),
        policy.flatMap(Policy::length),
        policy.map(of -> of.terms(millis.isPresent())).orElse(Window.Terms.REQUESTS));
  }

  private static List<Policy> policies(HeaderLines header) {
    List<Policy> policies = new ArrayList<>();
    header
        .joined(POLICY)
        .ifPresent(
            field -> StructuredFields.list(field).forEach(m -> policy(m).ifPresent(policies::add)));
    return policies;
  }

  private static Optional<Policy> policy(Parametrizable<?> member) {
    Optional<String> name = StructuredFields.name(member);
    OptionalLong limit = StructuredFields.count(member, "q");
    OptionalLong length = StructuredFields.count(member, "w");
    boolean isLengthWrong = StructuredFields.has(member, "w") && length.orElse(0) == 0;
    if (name.isEmpty() || limit.isEmpty() || isLengthWrong) {
      return Optional.empty();
    }
    String unit = StructuredFields.text(member, "qu").orElse(REQUESTS);
    return Optional.of(
        new Policy(
            name.get(),
            StructuredFields.bytes(member, "pk"),
            unit,
            limit.getAsLong(),
            millis(member, LENGTH_MILLIS).filter(w -> !w.isZero()).or(() -> seconds(length)),
            StructuredFields.text(member, COUNTING).flatMap(Counting::of)));
  }

  private static List<Window> dictionary(HeaderLines header, String field) {
    Map<String, Parametrizable<?>> members = StructuredFields.dictionary(field);
    OptionalLong limit = StructuredFields.integer(members, "limit");
    OptionalLong remaining = StructuredFields.integer(members, "remaining");
    if (limit.isEmpty() && remaining.isEmpty()) {
      return List.of();
    }
    Window governing =
        new Window(
            Optional.empty(),
            limit,
            remaining.isPresent()
                ? OptionalLong.of(
                    Math.min(remaining.getAsLong(), limit.orElse(remaining.getAsLong())))
                : remaining,
            seconds(StructuredFields.integer(members, "reset")),
            Optional.empty());
    return NumberedPolicies.of(header.joined(POLICY).orElse("")).completing(governing);
  }

  private static Optional<Duration> millis(Parametrizable<?> member, String parameter) {
    OptionalLong millis = StructuredFields.count(member, parameter);
    return millis.isPresent()
        ? Optional.of(new Decimal(millis.getAsLong(), 0).span(Decimal.MILLI))
        : Optional.empty();
  }

  static Optional<Duration> seconds(OptionalLong seconds) {
    return seconds.isPresent()
        ? Optional.of(new Decimal(seconds.getAsLong(), 0).span(Decimal.SECOND))
        : Optional.empty();
  }

  private static String fullName(String name, Optional<String> key) {
    return key.map(bytes -> name + ";pk=" + bytes).orElse(name);
  }
}
