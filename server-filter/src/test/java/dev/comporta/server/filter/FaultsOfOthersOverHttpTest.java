package dev.comporta.server.filter;

import static dev.comporta.server.contract.HttpApi.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.Charge;
import dev.comporta.server.api.RateLimitContext;
import dev.comporta.server.api.RateLimitEvent;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.api.RateLimits;
import dev.comporta.server.contract.ContractFilters;
import dev.comporta.server.contract.HealthResource;
import dev.comporta.server.contract.HttpApi;
import dev.comporta.server.contract.UnlimitedResource;
import dev.comporta.server.testing.LimitsUnderTest;
import jakarta.annotation.Priority;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.glassfish.jersey.server.ResourceConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds of faults of other limiters that show between request and answer. */
class FaultsOfOthersOverHttpTest {

  @RegisterExtension final SystemSettings settings = new SystemSettings();

  private final LimitsUnderTest limits = new LimitsUnderTest();
  private final SeenAnswers seen = new SeenAnswers();
  private final AnswersLater later = new AnswersLater();
  private final JerseyServer server = new JerseyServer(application());
  private final HttpApi api = server.api();

  private ResourceConfig application() {
    ResourceConfig application =
        new ResourceConfig(
                FaultyOthersResource.class,
                ContractFilters.Authentication.class,
                ChangesDuringLogin.class,
                ChargesAsTold.class,
                ContractFilters.Spending.class)
            .register(seen)
            .register(later);
    limits.applyTo(application);
    return application;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /**
   * An operator changes a limit while somebody logs in: {@code X-Change: policy=limit,limit}. Or
   * forgets what a user has used: {@code X-Forget: user}.
   */
  @Priority(Priorities.AUTHENTICATION)
  public static class ChangesDuringLogin implements ContainerRequestFilter {

    @Context private @Nullable Configuration configuration; // the server injects it

    @Override
    public void filter(ContainerRequestContext request) {
      String forgotten = request.getHeaderString("X-Forget");
      if (forgotten != null) {
        limits().reset(Caller.of("principal", forgotten));
      }
      String change = request.getHeaderString("X-Change");
      if (change != null) {
        int end = change.indexOf('=');
        limits()
            .change(change.substring(0, end), List.of(change.substring(end + 1).split(",", -1)));
      }
    }

    private RateLimits limits() {
      return RateLimits.of(Objects.requireNonNull(configuration, "configuration"));
    }
  }

  /** Charges and gives back, as a resource does: {@code X-Charges: permits,permits}. */
  @Priority(Priorities.USER)
  public static class ChargesAsTold implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
      String charges = request.getHeaderString("X-Charges");
      if (charges != null) {
        RateLimitContext context = RateLimitContext.of(request::getProperty);
        Stream.of(charges.split(",", -1)).mapToLong(Long::parseLong).forEach(context::charge);
      }
    }
  }

  /** A filter of the application that comes after everything else. */
  @Priority(1)
  public static final class SeenAnswers implements ContainerResponseFilter {

    private final List<Integer> statuses = new CopyOnWriteArrayList<>();

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      statuses.add(response.getStatus());
    }
  }

  // S14: another spelling of a path has a count of its own. One that finds no resource has none.
  @Test
  void everySpellingOfAPathThatIsAnsweredIsCountedTogether() {
    List<Integer> statuses = new ArrayList<>();
    for (String spelling :
        List.of(
            "three", "three/", "three;a=1", "three;a=2;b", "three?a=1", "./three", "x/../three")) {
      statuses.addAll(api.statuses(2, "faults/" + spelling));
    }
    for (String spelling :
        List.of("/faults;v=1/three", "/faults//three", "/faults/thre%65", "/faults/three%2F")) {
      statuses.addAll(api.statuses(2, spelling));
    }

    assertThat(statuses).containsOnly(200, 404, 429);
    assertThat(Collections.frequency(statuses, 200)).isEqualTo(3);
  }

  // S16: each guess of a code, and each path below one, has a count of its own
  @ParameterizedTest
  @ValueSource(strings = {"codes", "files"})
  void guessesOfOneResourceAreCountedTogether(String path) {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      statuses.add(api.get("faults/" + path + "/" + i).statusCode());
    }

    assertThat(statuses).startsWith(200, 200, 200, 429);
    assertThat(Collections.frequency(statuses, 200)).isEqualTo(3);
  }

  // S16, S114: a key is made for each guess, or tells who sent the request
  @Test
  void keyNamesItsVersionAndNeitherPathNorCaller() {
    KeyRecorder recorder = new KeyRecorder();
    ResourceConfig recorded = application().property(RateLimitFeature.STORE, recorder);
    try (JerseyServer other = new JerseyServer(recorded)) {
      for (int i = 0; i < 5; i++) {
        other.api().get("faults/codes/guess-" + i, "X-User", "ann.lee", "X-API-Key", "s3cret");
      }
      other.api().get("faults/codes/guess", "X-API-Key", "s3cret");
    }

    assertThat(recorder.keys())
        .hasSize(2)
        .noneMatch(key -> key.matches(".*(ann|lee|s3cret|guess|127[.]0|::1).*"))
        .allMatch(key -> key.matches("[^:]+:[0-9]+:[{][^}]+[}]:.+"));
  }

  @Test
  void storeIsToldOfLimitsThatMayGiveBackAndOfNoOthers() {
    KeyRecorder recorder = new KeyRecorder();
    ResourceConfig recorded = application().property(RateLimitFeature.STORE, recorder);
    try (JerseyServer other = new JerseyServer(recorded)) {
      other.api().get("faults/codes/any", "X-User", "ann");
      assertThat(recorder.refundable()).isEmpty();

      other.api().send("POST", "faults/login/204", "X-Login", "ann");
    }

    assertThat(recorder.refundable()).hasSize(2).isSubsetOf(recorder.keys());
  }

  // S103: a store that fails after the resource has answered takes the answer away
  @Test
  void answerStaysWhenItsChargeCannotBeSettled() {
    KeyRecorder failing = new KeyRecorder();
    failing.failToSettle();
    ResourceConfig application = application().property(RateLimitFeature.STORE, failing);
    try (JerseyServer other = new JerseyServer(application)) {
      HttpResponse<String> answer = other.api().send("POST", "faults/login/204", "X-Login", "ann");

      assertThat(answer.statusCode()).isEqualTo(204);
      assertThat(only(answer, "X-RateLimit-Remaining")).isEqualTo("4");
    }
  }

  // S107, S108, S111: whose quota a forwarded address takes
  @Test
  void networkOfIpv6IsOneCallerAndMappedAddressesAreIpv4() {
    settings.set("comporta.trusted-proxies", "127.0.0.1,::1,10.0.0.0/8");
    try (JerseyServer proxied = new JerseyServer(application())) {
      HttpApi behind = proxied.api();

      assertThat(left(behind, "2001:db8::1")).isEqualTo("2");
      assertThat(left(behind, "[2001:db8::ffff:2]:443")).isEqualTo("1");
      assertThat(left(behind, "2001:db8:0:1::1")).isEqualTo("2");
      assertThat(left(behind, "::ffff:192.0.2.1")).isEqualTo("2");
      assertThat(left(behind, "192.0.2.1:8080")).isEqualTo("1");
      assertThat(left(behind, "::ffff:192.0.2.2")).isEqualTo("2");
      assertThat(left(behind, "203.0.113.9, 192.0.2.1, 10.1.2.3, ::ffff:a01:203")).isEqualTo("0");
    }
  }

  private static String left(HttpApi api, String forwardedFor) {
    return only(api.get("faults/three", "X-Forwarded-For", forwardedFor), "X-RateLimit-Remaining");
  }

  // S39, S40: a reservation that is given back whole before the true cost is charged
  @ParameterizedTest
  @CsvSource({"'-10,25', 75", "'-10,-10,5', 95", "'5,-15,7', 93", "'-4,4', 90", "'-10', 100"})
  void trueCostIsChargedAfterAllThatWasReservedHasBeenGivenBack(String charges, String left) {
    HttpResponse<String> answer = api.get("faults/tokens", "X-User", "ann", "X-Charges", charges);

    assertThat(only(answer, "X-RateLimit-Remaining")).isEqualTo(left);
    assertThat(api.get("faults/tokens", "X-User", "ann").headers().firstValue("RateLimit"))
        .hasValueSatisfying(
            next -> assertThat(next).contains("r=" + (Long.parseLong(left) - 10) + ";"));
  }

  // S80: a reset forgets one of the limits alone
  @Test
  void resetForgetsEveryLimitOfACallerAndNoneOfAnother() {
    api.statuses(3, "faults/changing", "X-User", "ann");
    api.statuses(3, "faults/changing", "X-User", "bob");

    HttpResponse<String> ann = api.get("faults/changing", "X-User", "ann", "X-Forget", "ann");

    assertThat(only(ann, "RateLimit")).contains("changing-1m\";r=9;", "changing-1h\";r=99;");
    assertThat(only(api.get("faults/changing", "X-User", "bob"), "RateLimit"))
        .contains("changing-1m\";r=6;", "changing-1h\";r=96;");
  }

  // S23: a limit in shadow mode that is used up hides the others, and S120: is not counted
  @Test
  void limitInShadowModeThatOthersHaveUsedUpHidesNoOther() {
    api.get("faults/watched", "X-User", "ann");

    assertThat(api.statuses(5, "faults/watched", "X-User", "bob"))
        .containsExactly(200, 200, 200, 429, 429);
    assertThat(limits.shadowRefused("watched")).hasSize(3);
  }

  // S120: the count of what would have been refused is not that of the refusals
  @Test
  void twoLimitsInShadowModeThatAreWrittenAlikeAreCountedOnceEach() {
    api.statuses(2, "faults/twins");
    int within = limits.shadowRefused("twins").size();
    api.statuses(3, "faults/twins");

    assertThat(within).isZero();
    assertThat(limits.shadowRefused("twins"))
        .extracting(event -> event.limit())
        .containsExactly(
            "twins-1h-2", "twins-1h-3", "twins-1h-2", "twins-1h-3", "twins-1h-2", "twins-1h-3");
  }

  // S120: what a resource asks for later is not among what would have been refused
  @Test
  void limitInShadowModeTellsWhatItWouldHaveRefusedLater() {
    for (String more : List.of("3", "30", "2", "1")) {
      assertThat(api.get("faults/bulk", "X-Try-Charge", more).statusCode()).isEqualTo(200);
    }

    assertThat(limits.shadowRefused("bulk")).extracting(event -> event.cost()).containsExactly(1L);
    assertThat(limits.events())
        .filteredOn(RateLimitEvent.AskedForMore.class::isInstance)
        .extracting(event -> ((RateLimitEvent.AskedForMore) event).answer())
        .filteredOn(RateLimitEvent.ShadowRefused.class::isInstance)
        .extracting(event -> ((RateLimitEvent.ShadowRefused) event).cost())
        .containsExactly(30L);
    assertThat(limits.events()).noneMatch(RateLimitEvent.StoreTrouble.class::isInstance);
  }

  // S37: a success clears what another counts as well
  @Test
  void successClearsTheFailuresOfTheNameAndLeavesThoseOfTheAddress() {
    for (int i = 0; i < 3; i++) {
      assertThat(login(401, "ann")).startsWith("\"login-1h\";r=" + (4 - i) + ";");
    }

    assertThat(login(200, "ann")).startsWith("\"login-1h\";r=5;").contains("address\";r=17;");
    assertThat(login(401, "bob")).startsWith("\"login-1h\";r=4;").contains("address\";r=16;");
  }

  // S42, S45, S46, S51: the wait of every way to count, as it is told
  @ParameterizedTest
  @ValueSource(strings = {"log", "fixed", "day", "observed", "strict"})
  void loneCallerIsAdmittedWhenItIsToldToComeAndNotASecondBefore(String path) {
    Random random = new Random(20_261_130);
    int refusals = 0;
    for (int i = 0; i < 60; i++) {
      HttpResponse<String> answer = api.get("faults/" + path);
      if (answer.statusCode() == 429) {
        refusals++;
        long seconds = Long.parseLong(only(answer, "Retry-After"));
        limits.clock().advance(Duration.ofSeconds(seconds - 1));
        assertThat(api.get("faults/" + path).statusCode()).as("step %d", i).isEqualTo(429);
        limits.clock().advance(Duration.ofSeconds(1));
        assertThat(api.get("faults/" + path).statusCode()).as("step %d", i).isEqualTo(200);
      }
      limits.clock().advance(Duration.ofMillis(random.nextInt(4_000)));
    }
    assertThat(refusals).isGreaterThan(5);
  }

  // S45, S48, S51: the reset once nothing is left, 20 s after the first of six
  @ParameterizedTest
  @CsvSource({"log, 60", "fixed, 40", "day, 86380", "observed, 60", "strict, 60"})
  void resetIsWhatIsLeftOnceNothingRemains(String path, long seconds) {
    api.get("faults/" + path);
    limits.clock().advance(Duration.ofSeconds(20));
    api.statuses(5, "faults/" + path);

    HttpResponse<String> refused = api.get("faults/" + path);

    assertThat(only(refused, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(Long.parseLong(only(refused, "X-RateLimit-Reset")) - nowSeconds())
        .isEqualTo(seconds);
  }

  /** Answers from threads of its own. */
  @Path("later")
  public static final class AnswersLater {

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

    /** That status; only failures are charged. */
    @GET
    @Path("{status}")
    @RateLimited(value = "3/1h", charge = Charge.FAILURES, policy = "later")
    public void answer(@PathParam("status") int status, @Suspended AsyncResponse answer) {
      Thread thread = new Thread(() -> answer.resume(Response.status(status).build()));
      thread.setUncaughtExceptionHandler((at, why) -> thrown.add(why));
      threads.add(thread);
      thread.start();
    }

    private void awaitAll() throws InterruptedException {
      for (Thread thread : threads) {
        thread.join(10_000);
      }
    }
  }

  // S54: a request is counted again when it goes on in another thread, which Grizzly may have
  // given to the next caller by then
  @Test
  void answerFromAnotherThreadIsSettledOnceAndHarmsNoThread() throws InterruptedException {
    for (String status : List.of("200", "401", "200", "401")) {
      api.get("later/" + status);
      later.awaitAll();
    }

    assertThat(only(api.get("later/200"), "X-RateLimit-Remaining")).isEqualTo("1");
    later.awaitAll();
    assertThat(later.thrown).isEmpty();
  }

  // S84, S87, S90: other limits, and another number of them, while the caller has used some
  @Test
  void changeOfTheNumberOfLimitsKeepsWhatWasUsed() {
    api.statuses(2, "faults/changing");

    assertThat(changed("changing=10/1m,100/1h,1000/1d"))
        .contains("\"changing-1m\";r=7;", "\"changing-1h\";r=97;", "\"changing-1d\";r=999;");
    assertThat(changed("changing=300/1d")).startsWith("\"changing-1d\";r=298;");
    assertThat(changed("changing=5/1m")).startsWith("\"changing-1m\";r=1;");
    assertThat(changed("changing=3/1m")).isEqualTo("\"changing-1m\";r=0;t=24");
  }

  // S86: a setting that has changed, or is wrong, while callers have used some of the old limit
  @Test
  void changedSettingActsAfterItsPeriodAndKeepsWhatWasUsedAndAWrongOneChangesNothing() {
    settings.set("comporta.policies.three.limits", "2/1h", "comporta.reload-every", "1s");
    try (JerseyServer configured = new JerseyServer(application())) {
      HttpApi reread = configured.api();
      assertThat(reread.statuses(3, "faults/three")).containsExactly(200, 200, 429);

      settings.set("comporta.policies.three.limits", "5/1h");
      assertThat(reread.get("faults/three").statusCode()).isEqualTo(429);
      limits.clock().advance(Duration.ofSeconds(2));
      HttpResponse<String> raised = reread.get("faults/three");
      settings.set("comporta.policies.three.limits", "0/1h");
      limits.clock().advance(Duration.ofSeconds(2));
      HttpResponse<String> kept = reread.get("faults/three");

      assertThat(only(raised, "RateLimit-Policy")).isEqualTo("\"three-1h\";q=5;w=3600");
      assertThat(only(raised, "X-RateLimit-Remaining")).isEqualTo("2");
      assertThat(only(kept, "X-RateLimit-Limit")).isEqualTo("5");
      assertThat(only(kept, "X-RateLimit-Remaining")).isEqualTo("1");
    }
  }

  // S85: a change acts at once, also on a request that is on its way through the filters
  @ParameterizedTest
  @CsvSource({"by-caller, address", "by-address, caller"})
  void changeDuringTheLoginLetsNobodyThrough(String path, String by) {
    api.statuses(2, "faults/" + path, "X-User", "ann");

    HttpResponse<String> meanwhile =
        api.get("faults/" + path, "X-User", "ann", "X-Change", path + "=2/1h;by=" + by);

    assertThat(meanwhile.headers().firstValue("X-RateLimit-Limit")).contains("2");
  }

  // S103: what fails after the resource has answered takes the answer away
  @Test
  void answerOfAnApplicationThatIsGoneMeanwhileIsStillGiven() {
    HttpResponse<String> answer = api.get("faults/undeploys");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("ok");
  }

  // S121, S123: neither a count nor a later filter sees a refusal
  @Test
  void refusalIsToldOnceAndSeenByLaterFilters() {
    api.statuses(5, "faults/three");

    assertThat(limits.allowed("three")).hasSize(3);
    assertThat(limits.refused("three")).hasSize(2);
    assertThat(seen.statuses).containsExactly(200, 200, 200, 429, 429);
  }

  /** Limits everything in it. */
  @RateLimited(value = "3/1h", policy = "all")
  public static class LimitedEverywhere extends Application {

    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(HealthResource.class, UnlimitedResource.class);
    }
  }

  // S115: probes use up the limit of everything
  @Test
  void probesSpendNothingOfALimitOnEverything() {
    ResourceConfig everything = ResourceConfig.forApplicationClass(LimitedEverywhere.class);
    try (JerseyServer limited = new JerseyServer(everything)) {
      for (int i = 0; i < 20; i++) {
        HttpResponse<String> probe = limited.api().get("health/live");
        assertThat(probe.statusCode()).isEqualTo(200);
        assertThat(probe.headers().firstValue("X-RateLimit-Limit")).isEmpty();
      }

      assertThat(only(limited.api().get("unlimited"), "X-RateLimit-Remaining")).isEqualTo("2");
    }
  }

  private String login(int status, String name) {
    return only(api.send("POST", "faults/login/" + status, "X-Login", name), "RateLimit");
  }

  /* A login comes before the decision, so the change acts on this very request. */
  private String changed(String change) {
    return only(api.get("faults/changing", "X-Change", change), "RateLimit");
  }

  private long nowSeconds() {
    return limits.clock().nowMicros() / 1_000_000;
  }
}
