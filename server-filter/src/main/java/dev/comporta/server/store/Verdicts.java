package dev.comporta.server.store;

import dev.comporta.server.algorithm.Decision;
import dev.comporta.server.algorithm.Standing;
import java.util.ArrayList;
import java.util.List;

/**
 * The one rule by which the decisions of several limits become a verdict, whatever store holds the
 * states.
 */
public final class Verdicts {

  private Verdicts() {}

  /** Whether these states admit that cost, all of them. Changes nothing. */
  public static boolean areAllAllowed(
      List<KeyedLimit> limits, List<long[]> states, long cost, long nowMicros) {
    for (int i = 0; i < limits.size(); i++) {
      if (!(limits.get(i).limit().decide(states.get(i), cost, nowMicros)
          instanceof Decision.Allowed)) {
        return false;
      }
    }
    return true;
  }

  /** The verdict after every limit was charged; the states are those after the charge. */
  public static Verdict.Admitted admitted(
      List<KeyedLimit> limits, List<long[]> states, long nowMicros) {
    return new Verdict.Admitted(standings(limits, states, nowMicros), nowMicros);
  }

  /**
   * The verdict when not all limits pass: the limit that can never pass binds, else the one that
   * asks to wait longest.
   *
   * @throws IllegalStateException if all of them pass
   */
  public static Verdict.Decided notAdmitted(
      List<KeyedLimit> limits, List<long[]> states, long cost, long nowMicros) {
    List<Standing> standings = standings(limits, states, nowMicros);
    int binding = 0;
    long retryAfterMicros = 0;
    for (int i = 0; i < limits.size(); i++) {
      Decision decision = limits.get(i).limit().decide(states.get(i), cost, nowMicros);
      if (decision instanceof Decision.Impossible) {
        return new Verdict.Impossible(standings, nowMicros, i);
      }
      if (decision instanceof Decision.Denied denied
          && denied.retryAfterMicros() > retryAfterMicros) {
        binding = i;
        retryAfterMicros = denied.retryAfterMicros();
      }
    }
    if (retryAfterMicros == 0) {
      throw new IllegalStateException("every limit passes, so there is nothing to refuse");
    }
    return new Verdict.Refused(standings, nowMicros, binding, retryAfterMicros);
  }

  /** Where these states stand. */
  public static List<Standing> standings(
      List<KeyedLimit> limits, List<long[]> states, long nowMicros) {
    List<Standing> standings = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      standings.add(limits.get(i).limit().standing(states.get(i), nowMicros));
    }
    return List.copyOf(standings);
  }
}
