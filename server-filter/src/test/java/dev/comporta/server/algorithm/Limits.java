package dev.comporta.server.algorithm;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.policy.LimitSpec;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The limits over which the laws are tested: every algorithm, estimate and number of segments. */
final class Limits {

  static final int[] SEGMENTS = {1, 2, 4, 10};

  private static final List<String> PLAIN =
      List.of("1/1s", "3/1s", "100/1m", "5/500ms", "7/13s", "1000/1ms", "997/1d", "9999/400d");

  private Limits() {}

  static Stream<LimitSpec> all() {
    return Stream.of(buckets(), counters(), logs(), fixed()).flatMap(limits -> limits);
  }

  static Stream<LimitSpec> buckets() {
    return Stream.concat(
        PLAIN.stream().map(LimitSpec::parse),
        Stream.of("3/1s;burst=1", "10/1m;burst=25", "1/1d;burst=300").map(LimitSpec::parse));
  }

  static Stream<LimitSpec> counters() {
    return PLAIN.stream()
        .map(text -> LimitSpec.parse(text, Algorithm.SLIDING_WINDOW_COUNTER))
        .flatMap(
            limit ->
                Stream.of(Estimate.values())
                    .flatMap(
                        estimate ->
                            IntStream.of(SEGMENTS)
                                .mapToObj(segments -> limit.estimatedBy(estimate, segments))));
  }

  static Stream<LimitSpec> logs() {
    return PLAIN.stream().map(text -> LimitSpec.parse(text, Algorithm.SLIDING_WINDOW_LOG));
  }

  static Stream<LimitSpec> fixed() {
    return Stream.concat(
        PLAIN.stream().map(text -> LimitSpec.parse(text, Algorithm.FIXED_WINDOW)),
        Stream.of(
                "20/day",
                "50/day;zone=Australia/Lord_Howe",
                "100/week;zone=Europe/Lisbon",
                "300/month;zone=America/New_York")
            .map(LimitSpec::parse));
  }
}
