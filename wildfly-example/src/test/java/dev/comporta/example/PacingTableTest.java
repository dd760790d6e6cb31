package dev.comporta.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.client.sim.Behaviour;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.http.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Prints the tables of {@code docs/reference/pacing.md}, and holds the client to what it reaches:
 * ten seeds, every algorithm. Minutes, so {@code mvn -Pslow} alone runs it.
 */
@Tag("slow")
class PacingTableTest {

  private static final int SEEDS = 10;
  private static final int SEEDS_OF_OTHERS = 2;
  private static final List<Dialect> TOLD = List.of(Dialect.LEGACY, Dialect.IETF);
  private static final List<Dialect> TOLD_MORE = List.of(Dialect.values());

  /** Least goodput, most refused. */
  private record Bound(double goodput, double refused) {}

  @Test
  void serversThatTellHowTheyCount() {
    List<String> misses = new ArrayList<>();
    List<String> table = new ArrayList<>();
    PacingScene.all()
        .forEach(
            scene ->
                table.add(
                    row(
                        scene.toString(),
                        algorithm -> {
                          PacingScene.Figures figures =
                              scene.mean(algorithm, TOLD_MORE, Behaviour.WRAPPED, SEEDS);
                          check(scene, algorithm, figures, misses);
                          return figures;
                        })));
    print("with hints", table);

    assertThat(misses).isEmpty();
  }

  @Test
  void serversThatTellNoMoreThanTheDraft() {
    List<String> table =
        PacingScene.all()
            .map(
                scene ->
                    row(
                        scene.toString(),
                        algorithm -> scene.mean(algorithm, TOLD, Behaviour.WRAPPED, SEEDS)))
            .toList();
    print("without hints", table);

    assertThat(table).hasSize(14);
  }

  @Test
  void clientsOfOtherKinds() {
    List<String> table = new ArrayList<>();
    for (Behaviour behaviour : Behaviour.values()) {
      Stream.concat(PacingScene.perSecond().stream(), PacingScene.perMinute().stream().limit(1))
          .forEach(
              scene ->
                  table.add(
                      row(
                          scene + ", " + behaviour,
                          algorithm ->
                              scene.mean(algorithm, TOLD_MORE, behaviour, SEEDS_OF_OTHERS))));
    }
    print("by kind of client, two seeds", table);

    assertThat(table).hasSize(8 * Behaviour.values().length);
  }

  private static void check(
      PacingScene scene, Algorithm algorithm, PacingScene.Figures figures, List<String> misses) {
    Bound bound = bound(scene, algorithm == Algorithm.TOKEN_BUCKET);
    boolean isFair = figures.jain() >= 0.85;
    boolean isPrompt = !scene.name().startsWith("70") || figures.medianDelayMillis() == 0;
    if (figures.goodputPercent() < bound.goodput()
        || figures.refusedPercent() > bound.refused()
        || !isFair
        || !isPrompt) {
      misses.add("%s, %s: %s, wanted %s".formatted(scene, algorithm, figures, bound));
    }
  }

  /** What is aimed at, of each row. */
  private static Bound bound(PacingScene scene, boolean isBucket) {
    boolean isPerSecond = scene.limit().equals("100/1s");
    return switch (scene.name()) {
      case "one client" -> isBucket ? new Bound(99, 0) : new Bound(isPerSecond ? 95 : 99, 0.1);
      case "uncontrolled consumer" -> isBucket ? new Bound(95, 1) : new Bound(80, 1);
      case "limit changes" -> isBucket ? new Bound(97, 0.3) : new Bound(92, 0.3);
      case "70 % offered" -> new Bound(96, 0.1);
      default -> isBucket ? new Bound(99, 0.1) : new Bound(94, 0.3);
    };
  }

  private static String row(String name, Function<Algorithm, PacingScene.Figures> figures) {
    StringBuilder row = new StringBuilder("| " + name + " |");
    for (Algorithm algorithm : Algorithm.values()) {
      PacingScene.Figures each = figures.apply(algorithm);
      row.append(
          String.format(Locale.ROOT, " %.1f / %.2f", each.goodputPercent(), each.refusedPercent()));
      row.append(name.contains("clients") ? String.format(Locale.ROOT, ", %.2f", each.jain()) : "");
      row.append(
          name.contains("70 %")
              ? String.format(Locale.ROOT, ", %.0f ms", each.medianDelayMillis())
              : "");
      row.append(" |");
    }
    return row.toString();
  }

  private static void print(String title, List<String> table) {
    System.out.println(title);
    System.out.println("| | token bucket | weighted window | window log | fixed window |");
    System.out.println("|---|---|---|---|---|");
    table.forEach(System.out::println);
  }
}
