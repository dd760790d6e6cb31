package dev.comporta.server.store.redis;

import dev.comporta.server.algorithm.RateAlgorithm;
import dev.comporta.server.algorithm.Standing;
import dev.comporta.server.api.Algorithm;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.StoreException;
import dev.comporta.server.store.Verdict;
import dev.comporta.server.store.Verdicts;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of the script that decides: what it is told of several decisions, and what its reply
 * says of each.
 */
final class DecisionCall {

  /*
   * How this works, and why
   *
   * What Redis reads and Lua takes apart costs more than the decision itself. So whatever decisions
   * have in common is told once: each limit once for all callers that it counts; one run for all
   * that differ only in whose usage it is; and the same question once, with how often it is asked.
   * 64 threads that ask for callers of one policy tell their keys and a dozen words.
   *
   * The same question, asked n times at one instant, is admitted a times and then refused. The reply
   * tells a, and the state after the first decision; the states after the others follow by the same
   * functions that count in memory. So each gets the numbers that it would get alone. A lease is the
   * same question asked some times more, by nobody yet.
   */

  private final List<SameQuestions> asked;
  private final RefusalCache refusals;
  private final List<RefusalCache.Sending> sendings;
  private final IdentityHashMap<RateAlgorithm, Integer> places = new IdentityHashMap<>();
  private final Set<Algorithm> algorithms = EnumSet.noneOf(Algorithm.class);

  /**
   * A call for these, in this order; sent now.
   *
   * @param refusals are told what was decided
   */
  DecisionCall(List<Question> questions, RefusalCache refusals) {
    this.asked = SameQuestions.of(questions);
    this.refusals = refusals;
    this.sendings = new ArrayList<>(asked.size());
    for (SameQuestions same : asked) {
      sendings.add(refusals.sending(same.first().limits()));
    }
  }

  /** How the limits that were told are counted. */
  Set<Algorithm> algorithms() {
    return algorithms;
  }

  /** What the script is told. */
  ScriptRequest request(CalendarEdges calendars) {
    ScriptRequest request = new ScriptRequest();
    addLimits(request, calendars);
    List<List<SameQuestions>> runs = runs();
    request.add(runs.size());
    for (List<SameQuestions> run : runs) {
      addRun(request, run);
    }
    return request;
  }

  /** Answers each. */
  void answer(List<Object> reply) {
    long nowMicros = Long.parseLong(reply.get(0).toString());
    int at = 1;
    for (int i = 0; i < asked.size(); i++) {
      SameQuestions same = asked.get(i);
      String outcome = reply.get(at).toString();
      at++;
      if (Character.isDigit(outcome.charAt(0))) {
        int end = at + same.first().limits().size();
        answer(i, Integer.parseInt(outcome), reply.subList(at, end), nowMicros);
        at = end;
      } else {
        same.fail(RedisFailures.ofReply(outcome));
      }
    }
  }

  private void addLimits(ScriptRequest request, CalendarEdges calendars) {
    List<RateAlgorithm> distinct = new ArrayList<>();
    for (SameQuestions same : asked) {
      for (KeyedLimit limit : same.first().limits()) {
        if (places.putIfAbsent(limit.limit(), distinct.size() + 1) == null) {
          distinct.add(limit.limit());
          algorithms.add(limit.limit().kind());
        }
      }
    }
    request.add(distinct.size());
    for (RateAlgorithm limit : distinct) {
      request.add(limit, calendars);
    }
  }

  private int placeOf(RateAlgorithm limit) {
    return Objects.requireNonNull(places.get(limit), "every limit has a place");
  }

  private List<List<SameQuestions>> runs() {
    List<List<SameQuestions>> runs = new ArrayList<>();
    for (SameQuestions same : asked) {
      if (runs.isEmpty() || !runs.get(runs.size() - 1).get(0).isLike(same)) {
        runs.add(new ArrayList<>());
      }
      runs.get(runs.size() - 1).add(same);
    }
    return runs;
  }

  private void addRun(ScriptRequest request, List<SameQuestions> run) {
    Question first = run.get(0).first();
    request.add(run.size());
    request.add(run.get(0).times());
    request.add(first.cost());
    request.add(first.limits().size());
    for (int i = 0; i < first.limits().size(); i++) {
      request.add(placeOf(first.limits().get(i).limit()));
      request.add(first.keys().formers().get(i));
    }
    run.forEach(same -> request.add(same.first().keys()));
  }

  private void answer(int index, int admitted, List<Object> texts, long nowMicros) {
    SameQuestions same = asked.get(index);
    try {
      List<long[]> states = RedisState.parseAll(texts, same.first().limits());
      tell(index, new Course(same.first(), states, admitted, nowMicros));
    } catch (StoreException unreadable) {
      same.fail(unreadable);
    }
  }

  /* All is computed before anybody is told: what cannot be read, nobody can be told. */
  private void tell(int index, Course course) {
    SameQuestions same = asked.get(index);
    RefusalCache.Sending sending = sendings.get(index);
    List<Verdict> verdicts = new ArrayList<>(same.questions().size());
    List<Lease.Debit> debits = new ArrayList<>(same.questions().size());
    for (Question question : same.questions()) {
      Verdict verdict = course.next();
      Lease.Debit debit = course.debit(question.times() - 1, sending.nanos());
      verdicts.add(debit.permits() == 0 ? verdict : course.toldWithALease(verdict));
      debits.add(debit);
    }
    refusals.note(same, sending, course.states(), course.last());
    for (int i = 0; i < verdicts.size(); i++) {
      same.questions().get(i).tell(verdicts.get(i), debits.get(i));
    }
  }

  /** The states through which equal decisions at one instant lead. */
  private static final class Course {

    private final Question first;
    private final long nowMicros;
    private List<long[]> states;
    private int left; // that are admitted
    private boolean isCharged = true; // for the next one, by the script
    private @Nullable Verdict refusal;
    private @Nullable Verdict last;

    Course(Question first, List<long[]> states, int admitted, long nowMicros) {
      this.first = first;
      this.states = states;
      this.left = admitted;
      this.nowMicros = nowMicros;
    }

    /** What the next one is told. */
    Verdict next() {
      Verdict verdict = left == 0 ? refusal() : admission();
      last = verdict;
      return verdict;
    }

    /** So many of the next ones, as far as they are admitted, for whoever will ask. */
    Lease.Debit debit(int times, long sentNanos) {
      List<long[]> before = states;
      int admitted = Math.min(times, left);
      left -= admitted;
      if (admitted > 0) {
        states = charged(admitted);
      }
      if (admitted < times) {
        last = refusal();
      }
      return new Lease.Debit(before, admitted * first.cost(), nowMicros, sentNanos);
    }

    /** That verdict, as if what was taken with it were used. */
    Verdict toldWithALease(Verdict verdict) {
      List<Standing> atEnd = Verdicts.standings(first.limits(), states, nowMicros);
      return Lease.told((Verdict.Admitted) verdict, atEnd);
    }

    List<long[]> states() {
      return states;
    }

    Verdict last() {
      return Objects.requireNonNull(last, "at least one was asked");
    }

    private Verdict admission() {
      states = isCharged ? states : charged(1);
      isCharged = false;
      left--;
      return Verdicts.admitted(first.limits(), states, nowMicros);
    }

    private Verdict refusal() {
      Verdict known = refusal == null ? notAdmitted(first, states, nowMicros) : refusal;
      refusal = known;
      return known;
    }

    /* Other arrays, since the former ones may be kept. */
    private List<long[]> charged(int times) {
      List<long[]> charged = new ArrayList<>(states.size());
      for (int i = 0; i < states.size(); i++) {
        RateAlgorithm limit = first.limits().get(i).limit();
        charged.add(limit.charge(states.get(i).clone(), times * first.cost(), nowMicros));
      }
      return charged;
    }
  }

  private static Verdict notAdmitted(Question question, List<long[]> states, long nowMicros) {
    if (Verdicts.areAllAllowed(question.limits(), states, question.cost(), nowMicros)) {
      throw StoreException.permanent("the script refuses what its algorithm allows");
    }
    return Verdicts.notAdmitted(question.limits(), states, question.cost(), nowMicros);
  }
}
