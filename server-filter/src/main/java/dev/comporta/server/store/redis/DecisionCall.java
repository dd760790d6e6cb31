package dev.comporta.server.store.redis;

import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.util.ArrayList;
import java.util.List;

/**
 * One call of the script that decides: what it is told of several decisions, and what its reply
 * says of each.
 */
final class DecisionCall {

  private static final String ADMITTED = "1";
  private static final String REFUSED = "0";

  private final List<Question> questions;
  private final RefusalCache refusals;
  private final List<RefusalCache.Sending> sendings = new ArrayList<>();

  /**
   * A call for these, in this order; sent now.
   *
   * @param refusals are told what was decided
   */
  DecisionCall(List<Question> questions, RefusalCache refusals) {
    this.questions = questions;
    this.refusals = refusals;
    questions.forEach(question -> sendings.add(refusals.sending(question.limits())));
  }

  /** The limits of all of them. */
  List<KeyedLimit> limits() {
    if (questions.size() == 1) {
      return questions.get(0).limits();
    }
    List<KeyedLimit> all = new ArrayList<>();
    questions.forEach(question -> all.addAll(question.limits()));
    return all;
  }

  /** What the script is told. */
  ScriptRequest request() {
    return ScriptRequest.ofAll(questions.stream().map(Question::request).toList());
  }

  /** Answers each. */
  void answer(List<Object> reply) {
    long nowMicros = Long.parseLong(reply.get(0).toString());
    int at = 1;
    for (int i = 0; i < questions.size(); i++) {
      String outcome = reply.get(at).toString();
      at++;
      if (outcome.equals(ADMITTED) || outcome.equals(REFUSED)) {
        int end = at + questions.get(i).limits().size();
        answer(i, outcome.equals(ADMITTED), reply.subList(at, end), nowMicros);
        at = end;
      } else {
        questions.get(i).fail(RedisFailures.ofReply(outcome));
      }
    }
  }

  private void answer(int index, boolean isAdmitted, List<Object> texts, long nowMicros) {
    Question question = questions.get(index);
    try {
      List<long[]> states = RedisState.parseAll(texts, question.limits());
      Verdict verdict = verdict(question, isAdmitted, states, nowMicros);
      refusals.note(question, sendings.get(index), states, verdict);
      question.answer().complete(verdict);
    } catch (StoreException unreadable) {
      question.fail(unreadable);
    }
  }

  private static Verdict verdict(
      Question question, boolean isAdmitted, List<long[]> states, long nowMicros) {
    List<KeyedLimit> limits = question.limits();
    if (isAdmitted) {
      return Verdicts.admitted(limits, states, nowMicros);
    }
    if (Verdicts.areAllAllowed(limits, states, question.cost(), nowMicros)) {
      throw StoreException.permanent("the script refuses what its algorithm allows");
    }
    return Verdicts.notAdmitted(limits, states, question.cost(), nowMicros);
  }
}
