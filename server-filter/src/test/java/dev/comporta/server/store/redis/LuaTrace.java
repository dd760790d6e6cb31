package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.policy.LimitSpec;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A seeded walk of a few callers through time: decisions of one to three limits at once,
 * surcharges, refunds, grants, looks and resets, while limits change, keys move, and the clock
 * steps back.
 */
final class LuaTrace {

  private static final long DAY = 86_400_000_000L;

  /** Windows of one size, so that what one limit has counted still counts under the next one. */
  private static final List<List<String>> WINDOWS =
      List.of(
          List.of("1ms", "2ms", "7ms"),
          List.of("500ms", "1s", "1001ms", "2s", "7s"),
          List.of("1m", "90s", "7m", "1h", "2h"),
          List.of("1d", "13d", "399d", "400d"),
          List.of("1ms", "1s", "13s", "1h", "400d"));

  private static final List<Long> PERMITS = List.of(1L, 3L, 5L, 7L, 11L, 60L, 100L);
  private static final List<Long> MANY_PERMITS =
      List.of(999L, 1_000_003L, 94_906_249L, 2_000_000_000L, 2_147_483_647L);
  private static final List<String> CALENDARS =
      List.of("20/day;zone=Australia/Lord_Howe", "30/week;zone=Europe/Lisbon", "40/month");
  private static final int[] SEGMENTS = {1, 2, 10};

  private static final List<Algorithm> KINDS =
      List.of(
          Algorithm.TOKEN_BUCKET,
          Algorithm.SLIDING_WINDOW_COUNTER,
          Algorithm.SLIDING_WINDOW_LOG,
          Algorithm.FIXED_WINDOW);

  private static final int LIMITS = 2 * KINDS.size();

  final String name;
  final JavaUsage java = new JavaUsage();
  private final Random random;
  private final String prefix;
  private final int oneInChanges;
  private final List<String> windows;
  private final List<KeyedLimit> limits = new ArrayList<>();
  private final List<long[]> charges = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();
  private List<String> touched = List.of();
  private long nowMicros;

  LuaTrace(long seed) {
    this.random = new Random(seed);
    this.name = "seed " + seed;
    this.prefix = "{trace-" + seed + "}:";
    this.oneInChanges = random.nextBoolean() ? 40 : 4;
    this.windows = WINDOWS.get(random.nextInt(WINDOWS.size()));
    this.nowMicros = 1_800_000_000_000_000L + random.nextInt(1_000_000_000);
    for (int i = 0; i < LIMITS; i++) {
      limits.add(new KeyedLimit(newKey(), anyLimit(kindOf(i))));
    }
  }

  /** Every key that was ever used. */
  List<String> keys() {
    return keys;
  }

  /** The keys that the last step may have touched. */
  List<String> touched() {
    return touched;
  }

  /** How to read the state under that key. */
  RateAlgorithm limitOf(String key) {
    return limits.get(keySlot(key)).limit();
  }

  /** Asks the store and Java alike; the answer of the store is checked when it is there. */
  CompletionStage<?> step(
      int number, RedisLimitStore store, AtomicLong clock, Consumer<Object> seen) {
    List<KeyedLimit> asked = request();
    if (random.nextInt(oneInChanges) == 0) {
      int slot = random.nextInt(LIMITS);
      change(slot);
      asked = List.of(limits.get(slot));
    }
    touched = keysOf(asked);
    nowMicros += pause(asked.get(0).limit());
    clock.set(nowMicros);
    String place = name + ", step " + number + ", at " + nowMicros + ", " + asked;
    int action = random.nextInt(20);
    if (action < 12) {
      return decide(asked, store, place, seen);
    }
    long permits = 1 + (long) (random.nextDouble() * 3 * asked.get(0).limit().limit());
    return switch (action) {
      case 12, 13 ->
          checked(
              store.settleAsync(asked, permits, nowMicros),
              java.surcharge(asked, permits, nowMicros),
              place + " surcharge " + permits);
      case 14, 15 -> refund(asked, store, permits, place);
      case 16, 17 ->
          checked(
              store.grantAsync(asked, permits),
              java.grant(asked, permits, nowMicros),
              place + " grant " + permits);
      case 18 -> checked(store.peekAsync(asked), java.peek(asked, nowMicros), place + " peek");
      default -> reset(asked, store);
    };
  }

  /** Asks several decisions at one instant in one call, and Java one after the other. */
  CompletionStage<?> fly(
      int number, RedisLimitStore store, AtomicLong clock, Consumer<Object> seen) {
    if (random.nextInt(oneInChanges) == 0) {
      change(random.nextInt(LIMITS));
    }
    nowMicros += pause(limits.get(random.nextInt(LIMITS)).limit());
    clock.set(nowMicros);
    List<Question> aboard = new ArrayList<>();
    List<CompletionStage<?>> answers = new ArrayList<>();
    for (int i = random.nextInt(12); i >= 0; i--) {
      Question question = anyQuestion(aboard);
      List<KeyedLimit> asked = question.limits();
      long cost = question.cost();
      Verdict expected = java.decide(asked, cost, nowMicros);
      seen.accept(expected.getClass());
      aboard.add(question);
      String place = name + ", flight " + number + ", at " + nowMicros + ", " + asked;
      answers.add(checked(question.answer(), expected, place + " cost " + cost));
    }
    touched = keysOf(aboard.stream().flatMap(question -> question.limits().stream()).toList());
    CompletionStage<?> landing = store.carry(aboard);
    answers.add(landing);
    return CompletableFuture.allOf(
        answers.stream()
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture[]::new));
  }

  /** Often one of those before, at the same cost or another. */
  private Question anyQuestion(List<Question> before) {
    if (before.isEmpty() || random.nextInt(3) > 0) {
      List<KeyedLimit> asked = request();
      return new Question(asked, cost(asked));
    }
    Question again = before.get(before.size() - 1 - random.nextInt(Math.min(2, before.size())));
    return new Question(
        again.limits(), random.nextInt(4) > 0 ? again.cost() : cost(again.limits()));
  }

  private static List<String> keysOf(List<KeyedLimit> asked) {
    return asked.stream()
        .flatMap(limit -> Stream.concat(Stream.of(limit.key()), limit.formerKeys().stream()))
        .distinct()
        .toList();
  }

  private CompletionStage<?> decide(
      List<KeyedLimit> asked, RedisLimitStore store, String place, Consumer<Object> seen) {
    long cost = cost(asked);
    Verdict expected = java.decide(asked, cost, nowMicros);
    seen.accept(expected.getClass());
    if (expected instanceof Verdict.Admitted) {
      charges.add(new long[] {nowMicros, cost});
    }
    return checked(store.decideAsync(asked, cost), expected, place + " cost " + cost);
  }

  private CompletionStage<?> refund(
      List<KeyedLimit> asked, RedisLimitStore store, long permits, String place) {
    if (charges.isEmpty()) {
      return checked(store.peekAsync(asked), java.peek(asked, nowMicros), place + " peek");
    }
    int any = random.nextInt(charges.size());
    long[] charge = charges.get(Math.max(any, charges.size() - 1 - random.nextInt(4)));
    long back = random.nextBoolean() ? charge[1] : permits;
    return checked(
        store.settleAsync(asked, -back, charge[0]),
        java.refund(asked, back, charge[0], nowMicros),
        place + " refund " + back + " of " + charge[0]);
  }

  private CompletionStage<?> reset(List<KeyedLimit> asked, RedisLimitStore store) {
    java.reset(asked);
    return store.resetAsync(asked);
  }

  private static CompletionStage<?> checked(
      CompletionStage<?> answer, Object expected, String place) {
    return answer.thenAccept(actual -> assertThat((Object) actual).as(place).isEqualTo(expected));
  }

  private void change(int slot) {
    KeyedLimit before = limits.get(slot);
    RateAlgorithm limit = random.nextInt(3) > 0 ? anyLimit(kindOf(slot)) : before.limit();
    if (random.nextInt(4) > 0) {
      limits.set(slot, new KeyedLimit(before.key(), limit, before.formerKeys()));
      return;
    }
    int other = (slot + KINDS.size()) % LIMITS;
    String last = random.nextInt(6) > 0 ? before.key() : limits.get(other).key();
    List<String> formers =
        Stream.concat(Stream.of(last), before.formerKeys().stream())
            .distinct()
            .limit(1 + random.nextInt(KeyedLimit.MOST_FORMER_KEYS))
            .toList();
    limits.set(slot, new KeyedLimit(newKey(slot), limit, formers));
  }

  private String newKey() {
    return newKey(limits.size());
  }

  private String newKey(int slot) {
    String key = prefix + slot + ":" + keys.size();
    keys.add(key);
    return key;
  }

  private int keySlot(String key) {
    return key.charAt(prefix.length()) - '0';
  }

  private static Algorithm kindOf(int slot) {
    return KINDS.get(slot % KINDS.size());
  }

  private RateAlgorithm anyLimit(Algorithm kind) {
    if (kind == Algorithm.FIXED_WINDOW && random.nextInt(3) == 0) {
      return RateAlgorithm.of(LimitSpec.parse(any(CALENDARS)));
    }
    LimitSpec limit = anySpan(kind);
    return RateAlgorithm.of(
        switch (kind) {
          case TOKEN_BUCKET -> random.nextBoolean() ? limit : withAnyBurst(limit);
          case SLIDING_WINDOW_COUNTER ->
              limit.estimatedBy(any(List.of(Estimate.values())), SEGMENTS[random.nextInt(3)]);
          case SLIDING_WINDOW_LOG, FIXED_WINDOW -> limit;
        });
  }

  private LimitSpec anySpan(Algorithm kind) {
    boolean isLarge = kind != Algorithm.SLIDING_WINDOW_LOG && random.nextInt(5) == 0;
    for (; ; ) {
      try {
        return LimitSpec.parse(any(isLarge ? MANY_PERMITS : PERMITS) + "/" + any(windows), kind);
      } catch (IllegalArgumentException beyondExactArithmetic) {
        // A bucket of that many permits is refused at this rate: the next one.
      }
    }
  }

  private LimitSpec withAnyBurst(LimitSpec limit) {
    return limit.withBurst(1 + random.nextInt((int) Math.min(limit.permits(), 1 << 20)));
  }

  private <T> T any(List<T> choice) {
    return choice.get(random.nextInt(choice.size()));
  }

  private List<KeyedLimit> request() {
    List<KeyedLimit> shuffled = new ArrayList<>(limits);
    Collections.shuffle(shuffled, random);
    return List.copyOf(shuffled.subList(0, 1 + random.nextInt(3)));
  }

  private long cost(List<KeyedLimit> asked) {
    long least = asked.stream().mapToLong(limit -> limit.limit().limit()).min().orElseThrow();
    return switch (random.nextInt(8)) {
      case 0 -> least;
      case 1 -> least + 1;
      case 2, 3 -> 1 + (long) (random.nextDouble() * least);
      case 4 -> 1 + least / 3;
      default -> 1;
    };
  }

  private long pause(RateAlgorithm limit) {
    long window = limit.windowMicros();
    return switch (random.nextInt(40)) {
      case 0 -> -1;
      case 1 -> -(long) (random.nextDouble() * 3 * window);
      case 2 -> random.nextInt(6) > 0 ? 1 : (long) ((random.nextDouble() - 0.5) * 1_000 * DAY);
      case 3 -> random.nextInt(6) > 0 ? -window / 3 : 2 * window;
      case 4 -> Math.floorMod(-nowMicros, window);
      case 5, 6, 7, 8 -> (long) (random.nextDouble() * 2 * window);
      case 9, 10, 11, 12, 13, 14, 15 -> 0;
      case 16, 17, 18 -> 1;
      default -> (long) (random.nextDouble() * 3 * window / limit.limit());
    };
  }
}
