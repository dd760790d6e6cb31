package dev.comporta.server.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.RateLimited;
import dev.comporta.server.policy.ConfiguredPolicies;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.store.NodeChanges;
import dev.comporta.server.store.StoreException;
import jakarta.ws.rs.GET;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChangeFollowerTest {

  static class Resource {
    @GET
    @RateLimited(value = "10/1m", policy = "search")
    public void search() {}
  }

  private static final long SECOND = 1_000_000;

  private final AtomicLong now = new AtomicLong(1_800_000_000_000_000L);
  private final RemoteChanges shared = new RemoteChanges(now::get);
  private final PolicyCatalog catalog =
      new PolicyCatalog(ConfiguredPolicies.NONE, Optional.empty());
  private final ChangeFollower follower =
      new ChangeFollower(
          shared,
          new RunningChanges(shared, new ChangedPolicies(catalog), new Blocks()),
          Duration.ofSeconds(1));

  @BeforeEach
  void discover() {
    catalog.discoverAll(Resource.class);
  }

  @Test
  void looksOnceAPeriodHoweverManyRequestsCome() {
    for (int i = 0; i < 1_000; i++) {
      follow();
      shared.asked().forEach(answer -> answer.complete(shared.sighting()));
    }
    assertThat(shared.asked()).hasSize(1);

    now.addAndGet(SECOND - 1);
    follow();
    assertThat(shared.asked()).hasSize(1);

    now.incrementAndGet();
    follow();
    assertThat(shared.asked()).hasSize(2);
  }

  @Test
  void requestThatLooksGoesOnWithWhatIsKnownAndTheNextOneFollows() {
    shared.put("limits:search", "5/1m");

    follow();
    assertThat(limits()).containsExactly(LimitSpec.parse("10/1m"));
    shared.asked().get(0).complete(shared.sighting());
    assertThat(limits()).containsExactly(LimitSpec.parse("10/1m"));

    follow();
    assertThat(limits()).containsExactly(LimitSpec.parse("5/1m"));
  }

  @Test
  void asksNothingWhileAnAnswerIsMissingUntilItIsGivenUp() {
    follow();
    for (int i = 0; i < 10; i++) {
      now.addAndGet(SECOND);
      follow();
    }
    assertThat(shared.asked()).hasSize(1);

    now.addAndGet(SECOND);
    follow();

    assertThat(shared.asked()).hasSize(2);
  }

  @Test
  void whatIsKnownStaysWhileTheStoreFails() {
    shared.put("limits:search", "5/1m");
    follow();
    shared.asked().get(0).complete(shared.sighting());
    follow();

    for (int i = 1; i < 5; i++) {
      now.addAndGet(SECOND);
      follow();
      shared.asked().get(i).completeExceptionally(new StoreException("away"));
    }

    assertThat(limits()).containsExactly(LimitSpec.parse("5/1m"));
  }

  @Test
  void clockThatIsSetBackDoesNotStopIt() {
    follow();
    shared.asked().get(0).complete(shared.sighting());

    now.addAndGet(-3_600 * SECOND);
    follow();

    assertThat(shared.asked()).hasSize(2);
  }

  @Test
  void doesNotLookWhereNobodyElseWrites() {
    NodeChanges alone = new NodeChanges(now::get);
    ChangeFollower idle =
        new ChangeFollower(
            alone,
            new RunningChanges(alone, new ChangedPolicies(catalog), new Blocks()),
            Duration.ofSeconds(1));

    idle.begin(now.get(), Duration.ZERO);
    idle.follow(now.get());

    assertThat(shared.asked()).isEmpty();
  }

  private void follow() {
    follower.follow(now.get());
  }

  private List<LimitSpec> limits() {
    return catalog.policy("search").orElseThrow().limits();
  }
}
