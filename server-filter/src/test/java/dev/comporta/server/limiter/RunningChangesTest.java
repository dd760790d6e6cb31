package dev.comporta.server.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.ConfiguredPolicies;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.store.Change;
import jakarta.ws.rs.GET;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunningChangesTest {

  static class Search {
    @GET
    @RateLimited(value = "10/1m", policy = "search")
    public void search() {}
  }

  static class Report {
    @GET
    @RateLimited(value = "3/1m", policy = "report")
    public void report() {}
  }

  private final AtomicLong now = new AtomicLong(1_800_000_000_000_000L);
  private final RemoteChanges shared = new RemoteChanges(now::get);
  private final PolicyCatalog catalog =
      new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
  private final Blocks blocks = new Blocks();
  private final RunningChanges changes =
      new RunningChanges(shared, new ChangedPolicies(catalog), blocks);

  @BeforeEach
  void discover() {
    catalog.discoverAll(Search.class);
  }

  @Test
  void policyThatOnlyAnotherVersionHasChangesNothingHere() {
    shared.put("limits:report", "5/1m");
    shared.put("limits:search", "5/1m");

    changes.take(shared.sighting());

    assertThat(limits("search")).containsExactly(LimitSpec.parse("5/1m"));
    assertThat(catalog.policy("report")).isEmpty();
  }

  @Test
  void blockIsToldUntilTheMicrosecondInWhichItEnds() {
    changes.block("ann", Duration.ofSeconds(1));

    now.addAndGet(999_999);
    assertThat(changes.blockedFor("ann")).contains(Duration.of(1, ChronoUnit.MICROS));
    assertThat(changes.blockedFor("bob")).isEmpty();
    now.incrementAndGet();
    assertThat(changes.blockedFor("ann")).isEmpty();

    changes.block("ann", Duration.ofDays(400));
    now.incrementAndGet();
    changes.unblock("ann");
    assertThat(changes.blockedFor("ann")).isEmpty();
  }

  @Test
  void changeThatCannotBeFollowedNowKeepsNoOtherBackAndIsFollowedLater() {
    AtomicBoolean isAway = new AtomicBoolean();
    PolicyCatalog asking =
        new PolicyCatalog(
            ConfiguredPolicies.NONE,
            Optional.empty(),
            (name, faults) -> {
              if (isAway.get()) {
                throw new IllegalStateException("the source of configuration is away");
              }
              return Optional.empty();
            });
    asking.discoverAll(Search.class);
    assertThat(asking.policies()).hasSize(1);
    RunningChanges following = new RunningChanges(shared, new ChangedPolicies(asking), blocks);
    shared.put("limits:search", "5/1m");
    changes.block("ann", Duration.ofHours(1));
    blocks.apply("ann", new Change("", 0, OptionalLong.empty()));
    isAway.set(true);

    assertThatThrownBy(() -> following.take(shared.sighting())).hasMessageContaining("is away");
    assertThat(blocks.isBlocked("ann")).isTrue();
    assertThat(following.version()).isEqualTo("?");

    isAway.set(false);
    following.take(shared.sighting());
    assertThat(asking.policy("search").orElseThrow().limits())
        .containsExactly(LimitSpec.parse("5/1m"));
  }

  /** Whoever may write to Redis could else make lines of the log, or fill the disk. */
  @ParameterizedTest
  @ValueSource(strings = {"limits:search", "limits:no\n such \u001b[2J policy"})
  void changeThatIsNoneIsLoggedInOneShortLineOfPrintableText(String name) {
    shared.put(name, "5\r\nERROR forged \u2028 line\u0000" + "x".repeat(1_000_000));

    String log = logOf(() -> changes.take(shared.sighting()));

    assertThat(log.strip()).hasLineCount(1).hasSizeLessThan(5_000).contains("forged", "has given");
    assertThat(log.strip().codePoints()).noneMatch(Character::isISOControl).doesNotContain(0x2028);
  }

  /** The grammar of limits lets some room between and behind them. */
  @Test
  void limitsWithMuchRoomBehindThemAreLoggedInOneShortLine() {
    for (String room : List.of(",".repeat(1_000_000), "\n".repeat(1_000))) {
      now.incrementAndGet();
      shared.put("limits:search", "5/1m" + room);

      String log = logOf(() -> changes.take(shared.sighting()));

      assertThat(log.strip()).hasLineCount(1).hasSizeLessThan(2_000).contains("has the limits");
    }
  }

  private static String logOf(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void policyThatIsDiscoveredLaterFollowsThen() {
    shared.put("limits:report", "5/1m");
    changes.take(shared.sighting());

    catalog.discoverAll(Report.class);
    changes.retry();

    assertThat(limits("report")).containsExactly(LimitSpec.parse("5/1m"));
  }

  @Test
  void limitsThatAreNotValidHereLeaveThePolicyWithThoseThatItHas() {
    shared.put("limits:search", "5/1m");
    changes.take(shared.sighting());
    now.incrementAndGet();
    shared.put("limits:search", "5/1fortnight");

    changes.take(shared.sighting());

    assertThat(limits("search")).containsExactly(LimitSpec.parse("5/1m"));
  }

  @Test
  void policyWhoseChangeDidNotFitCanBeChangedAndTakenBack() {
    shared.put("limits:search", "5/1fortnight");
    changes.take(shared.sighting());
    now.incrementAndGet();

    changes.change("search", List.of("7/1m", "70/1h"));
    assertThat(limits("search")).containsExactly(LimitSpec.parse("7/1m"), LimitSpec.parse("70/1h"));
    now.incrementAndGet();
    changes.revert("search");

    assertThat(limits("search")).containsExactly(LimitSpec.parse("10/1m"));
  }

  @Test
  void namesOfALaterVersionOfThisLibraryMeanNothing() {
    shared.put("mode:search", "off");

    changes.take(shared.sighting());

    assertThat(limits("search")).containsExactly(LimitSpec.parse("10/1m"));
  }

  @Test
  void oneTooManyIsRefusedUntilOneHasEnded() {
    changes.change("search", List.of("7/1m"));
    changes.block("ann", Duration.ofMinutes(2));
    changes.block("ben", Duration.ofMinutes(1));

    assertThatThrownBy(() -> changes.block("carl", Duration.ofMinutes(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "at most 3 callers can be blocked and policies be changed at once; nothing has changed");
    now.addAndGet(60_000_000);
    changes.block("carl", Duration.ofMinutes(1));

    assertThat(blocks.isBlocked("ann")).isTrue();
    assertThat(blocks.isBlocked("ben")).isFalse();
    assertThat(blocks.isBlocked("carl")).isTrue();
  }

  @Test
  void noLimitHasTheSignThatSeparatesLimits() {
    assertThatThrownBy(() -> LimitSpec.parse("10/1m,20/1h"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private List<LimitSpec> limits(String policy) {
    return catalog.policy(policy).orElseThrow().limits();
  }
}
