package dev.comporta.client.header;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.greenbytes.http.sfv.DecimalItem;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Parametrizable;

/**
 * Three fields with a common prefix: {@code Limit}, {@code Remaining}, {@code Reset}. Lists and
 * repeated lines in them are several windows, matched by position; a limit may carry its window
 * ({@code 100;w=60}), and policies may follow it ({@code 10, 10;w=1, 1000;w=3600}).
 */
final class PlainLimits {

  private final HeaderLines header;
  private final String prefix;
  private final boolean isRefusal;

  PlainLimits(HeaderLines header, String prefix, boolean isRefusal) {
    this.header = header;
    this.prefix = prefix;
    this.isRefusal = isRefusal;
  }

  /** The windows told; none when neither limit nor remainder can be read. */
  List<Window> read() {
    List<Parametrizable<?>> limits = items("Limit");
    List<Parametrizable<?>> remainders = items("Remaining");
    List<Optional<Duration>> resets = resets();
    NumberedPolicies policies = policies(limits);
    List<Parametrizable<?>> governing =
        isFollowedByPolicies(limits) ? limits.subList(0, 1) : limits;
    List<Window> windows = new ArrayList<>();
    for (int i = 0; i < Math.max(governing.size(), remainders.size()); i++) {
      window(at(governing, i), at(remainders, i), at(resets, i).flatMap(reset -> reset))
          .ifPresent(windows::add);
    }
    return windows.size() == 1 ? policies.completing(windows.get(0)) : windows;
  }

  private Optional<Window> window(
      Optional<Parametrizable<?>> limitItem,
      Optional<Parametrizable<?>> remainingItem,
      Optional<Duration> resetAfter) {
    OptionalLong limit = limitItem.map(PlainLimits::whole).orElse(OptionalLong.empty());
    if (limit.orElse(0) < 0) {
      limit = OptionalLong.empty();
    }
    OptionalLong remaining = remaining(remainingItem, limit);
    if (limit.isEmpty() && remaining.isEmpty()) {
      return Optional.empty();
    }
    Optional<Duration> length = limitItem.or(() -> remainingItem).flatMap(NumberedPolicies::length);
    return Optional.of(new Window(Optional.empty(), limit, remaining, resetAfter, length));
  }

  private OptionalLong remaining(Optional<Parametrizable<?>> item, OptionalLong limit) {
    OptionalLong told = item.map(PlainLimits::whole).orElse(OptionalLong.empty());
    if (told.isEmpty()) {
      return told;
    }
    if (told.getAsLong() < 0) {
      return isRefusal ? OptionalLong.of(0) : OptionalLong.empty();
    }
    return OptionalLong.of(Math.min(told.getAsLong(), limit.orElse(Long.MAX_VALUE)));
  }

  private NumberedPolicies policies(List<Parametrizable<?>> limits) {
    String field = isFollowedByPolicies(limits) ? "Limit" : "Policy";
    return NumberedPolicies.of(header.joined(prefix + field).orElse(""));
  }

  private static boolean isFollowedByPolicies(List<Parametrizable<?>> limits) {
    return limits.size() > 1
        && NumberedPolicies.length(limits.get(0)).isEmpty()
        && limits.stream().skip(1).allMatch(item -> NumberedPolicies.length(item).isPresent());
  }

  private List<Parametrizable<?>> items(String field) {
    return header
        .joined(prefix + field)
        .<List<Parametrizable<?>>>map(value -> List.copyOf(StructuredFields.list(value)))
        .orElse(List.of());
  }

  private List<Optional<Duration>> resets() {
    Instant serverTime = header.serverTime();
    List<String> lines = new ArrayList<>(header.of(prefix + "Reset-After"));
    if (lines.isEmpty()) {
      lines.addAll(header.of(prefix + "Reset"));
    }
    return lines.stream()
        .flatMap(
            line -> {
              Optional<Duration> whole = ResetHeader.resetAfter(line, serverTime);
              return whole.isPresent()
                  ? List.of(whole).stream()
                  : Arrays.stream(line.split(",", -1))
                      .map(part -> ResetHeader.resetAfter(part.strip(), serverTime));
            })
        .toList();
  }

  private static OptionalLong whole(Parametrizable<?> item) {
    if (item instanceof IntegerItem number) {
      return OptionalLong.of(number.getAsLong());
    }
    return item instanceof DecimalItem number
        ? OptionalLong.of(number.get().longValue())
        : OptionalLong.empty();
  }

  private static <T> Optional<T> at(List<T> list, int index) {
    return index < list.size() ? Optional.of(list.get(index)) : Optional.empty();
  }
}
