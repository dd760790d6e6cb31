package dev.comporta.server.filter;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.ChangeNotSharedException;
import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.api.RateLimits;
import dev.comporta.server.contract.ContractFilters;
import dev.comporta.server.contract.HttpApi;
import dev.comporta.server.store.redis.RedisServerProcess;
import dev.comporta.server.testing.ManualClock;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.glassfish.jersey.server.ResourceConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What running code changes on one node is followed by another that shares the Redis. The clocks of
 * the nodes stand until the test moves them, and are ten minutes apart.
 */
class ChangesOnEveryNodeIT {

  private static final Duration PERIOD = Duration.ofSeconds(1);

  @RegisterExtension final SystemSettings settings = new SystemSettings();

  private final RedisServerProcess redis = RedisServerProcess.started();

  /** A limited resource, and those by which an operator changes it. */
  @Path("")
  public static class Search {

    @Context private @Nullable Configuration configuration;

    @GET
    @Path("search")
    @RateLimited(value = "10/1h", policy = "search")
    public String search() {
      return "found";
    }

    /** Asks the node to look, and spends nothing of the policy that is changed. */
    @GET
    @Path("other")
    @RateLimited(value = "1000000/1h", policy = "other")
    public String other() {
      return "ok";
    }

    @PUT
    @Path("limits/{limit}")
    @RateLimitExempt
    public Response change(@PathParam("limit") String limit) {
      return answer(() -> limits().change("search", List.of(limit.replace('-', '/'))));
    }

    @DELETE
    @Path("limits")
    @RateLimitExempt
    public Response revert() {
      return answer(() -> limits().revert("search"));
    }

    @PUT
    @Path("blocks/{user}/{millis}")
    @RateLimitExempt
    public Response block(@PathParam("user") String user, @PathParam("millis") long millis) {
      return answer(() -> limits().block(Caller.of("principal", user), Duration.ofMillis(millis)));
    }

    @DELETE
    @Path("blocks/{user}")
    @RateLimitExempt
    public Response unblock(@PathParam("user") String user) {
      return answer(() -> limits().unblock(Caller.of("principal", user)));
    }

    private RateLimits limits() {
      return RateLimits.of(Objects.requireNonNull(configuration));
    }

    private static Response answer(Runnable change) {
      try {
        change.run();
        return Response.noContent().build();
      } catch (ChangeNotSharedException failed) {
        return Response.status(503).entity(failed.getMessage()).build();
      }
    }
  }

  /** A server, and its clock. */
  private static final class Node implements AutoCloseable {

    private final ManualClock clock;
    private final JerseyServer server;
    private final HttpApi api;

    private Node(Duration ahead) {
      this.clock = new ManualClock(Instant.now().plus(ahead));
      ResourceConfig application =
          new ResourceConfig(Search.class, ContractFilters.Authentication.class);
      application.property(RateLimitFeature.CLOCK, clock);
      this.server = new JerseyServer(application);
      this.api = server.api();
    }

    /** The limit that holds for a user, by an answer that spends one permit. */
    String limit(String user) {
      return only(search(user), "X-RateLimit-Limit");
    }

    HttpResponse<String> search(String user) {
      return api.get("search", "X-User", user);
    }

    int change(String path) {
      return api.send("PUT", path).statusCode();
    }

    int takeBack(String path) {
      return api.send("DELETE", path).statusCode();
    }

    /** A period passes, and requests come until that holds. */
    void awaitOnceItLooks(String what, BooleanSupplier condition) {
      clock.advance(PERIOD);
      RedisServerProcess.await(
          what,
          () -> {
            api.get("other", "X-User", "somebody");
            return condition.getAsBoolean();
          });
    }

    @Override
    public void close() {
      server.close();
    }
  }

  @BeforeEach
  void share() {
    settings.set(
        "comporta.store", "redis",
        "comporta.redis.address", redis.address(),
        "comporta.redis.changes-period", "1s",
        "comporta.namespace", "library",
        // On a busy machine, late is not down.
        "comporta.store-budget", "2s");
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  private static Node node() {
    return new Node(Duration.ZERO);
  }

  private static Node nodeWithAWrongClock() {
    return new Node(Duration.ofMinutes(-5));
  }

  @Test
  void changedLimitIsFollowedWithItsUsageAndTakenBack() {
    try (Node one = node();
        Node two = nodeWithAWrongClock()) {
      one.search("ann");
      two.search("ann");

      assertThat(one.change("limits/5-2h")).isEqualTo(204);

      assertThat(one.limit("ben")).isEqualTo("5");
      two.awaitOnceItLooks("the limit is followed", () -> two.limit("carl").equals("5"));
      assertThat(only(one.search("ann"), "X-RateLimit-Remaining")).isEqualTo("2");
      assertThat(only(two.search("ann"), "X-RateLimit-Remaining")).isEqualTo("1");

      assertThat(two.takeBack("limits")).isEqualTo(204);

      assertThat(two.limit("dora")).isEqualTo("10");
      one.awaitOnceItLooks("it is taken back", () -> one.limit("emma").equals("10"));
      assertThat(only(one.search("ann"), "X-RateLimit-Remaining")).isEqualTo("5");
    }
  }

  @Test
  void nodeThatStartsLaterFollowsFromItsFirstRequestOn() {
    try (Node one = node()) {
      one.change("limits/7-1h");
      one.change("blocks/ann/3600000");

      try (Node later = nodeWithAWrongClock()) {
        assertThat(later.limit("ben")).isEqualTo("7");
        assertThat(later.search("ann").statusCode()).isEqualTo(429);
      }
    }
  }

  @Test
  void changeOutlivesTheLastNode() {
    try (Node one = node()) {
      one.change("limits/7-1h");
    }

    try (Node next = node()) {
      assertThat(next.limit("ben")).isEqualTo("7");
    }
  }

  @Test
  void blockIsFollowedWithTheTimeThatIsLeftByTheClockOfRedis() {
    try (Node one = node();
        Node two = nodeWithAWrongClock()) {
      one.change("blocks/ann/3600000");

      two.awaitOnceItLooks("ann is blocked", () -> two.search("ann").statusCode() == 429);
      assertThat(Long.parseLong(only(two.search("ann"), "Retry-After"))).isBetween(3_500L, 3_600L);
      assertThat(two.search("ben").statusCode()).isEqualTo(200);

      two.takeBack("blocks/ann");

      assertThat(two.search("ann").statusCode()).isEqualTo(200);
      one.awaitOnceItLooks("ann may come", () -> one.search("ann").statusCode() == 200);
    }
  }

  @Test
  void blockEndsByTheClockOfRedisThoughThatOfTheNodeStands() {
    try (Node one = node();
        Node two = nodeWithAWrongClock()) {
      one.change("blocks/ann/3000");
      two.awaitOnceItLooks("ann is blocked", () -> two.search("ann").statusCode() == 429);

      RedisServerProcess.await("it is over", () -> two.search("ann").statusCode() == 200);
      assertThat(one.search("ann").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void whatCannotBeWrittenFailsAndWhatHoldsStays() {
    settings.set("comporta.store-budget", "200ms");
    try (Node one = node();
        Node two = nodeWithAWrongClock()) {
      one.change("limits/7-1h");
      one.change("blocks/ann/3600000");
      two.awaitOnceItLooks("the limit is followed", () -> two.limit("ben").equals("7"));
      redis.kill();

      HttpResponse<String> unblocked = two.api.send("DELETE", "blocks/ann");
      RedisServerProcess.await(
          "it is known that nobody is there",
          () -> two.api.send("PUT", "limits/3-1h").body().startsWith("nothing has changed"));

      assertThat(unblocked.statusCode()).isEqualTo(503);
      for (Node node : List.of(one, two)) {
        node.clock.advance(PERIOD);
        assertThat(node.limit("carl")).isEqualTo("7");
        assertThat(node.search("ann").statusCode()).isEqualTo(429);
      }
    }
  }

  @Test
  void whatRedisHasForgottenIsPutBackByANodeThatKnows() {
    try (Node one = node();
        Node two = nodeWithAWrongClock()) {
      one.change("limits/7-1h");
      two.change("blocks/ann/3600000");
      one.awaitOnceItLooks("ann is blocked", () -> one.search("ann").statusCode() == 429);
      redis.command("FLUSHALL");

      one.awaitOnceItLooks(
          "it is put back", () -> !redis.command("KEYS", "library:2:{changes}").equals("*0"));

      try (Node later = node()) {
        assertThat(later.limit("ben")).isEqualTo("7");
        assertThat(later.search("ann").statusCode()).isEqualTo(429);
      }
    }
  }

  @Test
  void callersDoNotStandInClearInRedis() {
    try (Node one = node()) {
      one.change("blocks/ann/3600000");

      assertThat(redis.command("HGETALL", "library:2:{changes}"))
          .contains("block:")
          .doesNotContain("ann");
      assertThat(Long.parseLong(redis.command("PTTL", "library:2:{changes}").substring(1)))
          .isBetween(Duration.ofDays(29).toMillis(), Duration.ofDays(30).toMillis());
    }
  }
}
