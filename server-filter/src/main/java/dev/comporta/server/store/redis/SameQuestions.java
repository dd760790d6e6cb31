package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decisions of one call that ask the same: of the same limits at the same cost. The script is told
 * once, and how often it is asked. For one thread.
 */
final class SameQuestions {

  private final List<Question> questions = new ArrayList<>();
  private int times;

  private SameQuestions(Question first) {
    add(first);
  }

  /**
   * Puts those together that may be decided one after another: the same limits at the same cost,
   * with no other in between that touches one of their keys. So each has the answer that it would
   * have in the order given.
   */
  static List<SameQuestions> of(List<Question> questions) {
    List<SameQuestions> all = new ArrayList<>(questions.size());
    Map<String, SameQuestions> lastOfKey = new HashMap<>();
    for (Question question : questions) {
      List<String> keys = question.keys().all();
      SameQuestions last = lastOfKey.get(keys.get(0));
      if (last != null && last.isOf(question) && last.isLastOf(keys, lastOfKey)) {
        last.add(question);
      } else {
        SameQuestions fresh = new SameQuestions(question);
        keys.forEach(key -> lastOfKey.put(key, fresh));
        all.add(fresh);
      }
    }
    return all;
  }

  /** In their order, at least one. */
  List<Question> questions() {
    return questions;
  }

  /** The first of them. */
  Question first() {
    return questions.get(0);
  }

  /** How often it is asked. */
  int times() {
    return times;
  }

  /** For how long at most this node may repeat a refusal of it. */
  long refusalNanos() {
    return questions.stream()
        .mapToLong(question -> question.lending().refusalNanos())
        .min()
        .orElseThrow();
  }

  /** Nobody gets an answer. */
  void fail(StoreException failure) {
    questions.forEach(question -> question.fail(failure));
  }

  /** Whether others differ from it in nothing but whose usage it is. */
  boolean isLike(SameQuestions other) {
    return times() == other.times()
        && first().cost() == other.first().cost()
        && first().keys().formers().equals(other.first().keys().formers())
        && areSameLimits(first().limits(), other.first().limits());
  }

  private void add(Question question) {
    questions.add(question);
    times += question.times();
  }

  private static boolean areSameLimits(List<KeyedLimit> some, List<KeyedLimit> others) {
    for (int i = 0; i < some.size(); i++) {
      if (!some.get(i).limit().equals(others.get(i).limit())) {
        return false;
      }
    }
    return true;
  }

  private boolean isLastOf(List<String> keys, Map<String, SameQuestions> lastOfKey) {
    for (String key : keys) {
      if (lastOfKey.get(key) != this) {
        return false;
      }
    }
    return true;
  }

  private boolean isOf(Question other) {
    return first().cost() == other.cost()
        && first().limits().equals(other.limits())
        && other.limits().stream().noneMatch(limit -> isToldInPart(limit.limit()));
  }

  /** Of a log Redis tells some entries, from which the states after it cannot be computed. */
  private static boolean isToldInPart(RateAlgorithm limit) {
    return limit.kind() == Algorithm.SLIDING_WINDOW_LOG;
  }
}
