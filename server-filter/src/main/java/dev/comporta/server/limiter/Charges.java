package dev.comporta.server.limiter;

import dev.comporta.server.policy.Policy;
import dev.comporta.server.store.KeyedLimit;
import dev.comporta.server.store.LimitStore;
import dev.comporta.server.store.LimitStore.Standings;
import dev.comporta.server.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that one request has been charged: on the limits that are enforced, and on each in shadow
 * mode beside them. Not thread-safe; its {@link Admission} guards it.
 */
final class Charges {

  private final LimitStore store;
  private final Account enforced;
  private final int lease;
  private final List<Account> shadows = new ArrayList<>(0);

  /** Is told what limits in shadow mode would have decided. */
  interface ShadowVerdicts {

    /** What the limit at that place, in the order in which they were first asked, decided. */
    void tell(int place, Verdict verdict);
  }

  /** Nothing yet, on these limits; there may be none. Each decision takes no more than it costs. */
  Charges(LimitStore store, Account.Changing changing, List<KeyedLimit> enforced) {
    this(store, changing, enforced, Policy.NO_LEASE);
  }

  /**
   * Nothing yet, on these limits; there may be none.
   *
   * @param lease how many permits a decision of the enforced limits may take at most
   */
  Charges(LimitStore store, Account.Changing changing, List<KeyedLimit> enforced, int lease) {
    this.store = store;
    this.lease = lease;
    this.enforced = new Account(store, changing, enforced);
  }

  /** Notes what the verdict on the enforced limits has taken. */
  void took(long cost, Verdict verdict) {
    note(enforced, cost, verdict);
  }

  /** Decides a limit in shadow mode, and notes what that has taken. */
  Verdict decideShadow(Account.Changing changing, List<KeyedLimit> shadow, long cost) {
    Account account = new Account(store, changing, shadow);
    Verdict verdict = store.decide(shadow, cost);
    note(account, cost, verdict);
    shadows.add(account);
    return verdict;
  }

  /** Whether any limit is enforced. */
  boolean isEnforced() {
    return !enforced.isEmpty();
  }

  /** Takes permits, whether they are there or not. */
  Optional<Standings> add(long permits) {
    shadows.forEach(shadow -> shadow.take(permits));
    return enforced.take(permits);
  }

  /** Takes permits if the enforced limits have them all; unchecked, if there are none of these. */
  Verdict tryAdd(long permits) {
    if (enforced.isEmpty()) {
      return new Verdict.Unchecked();
    }
    Verdict verdict = store.decide(enforced.limits(), permits, lease);
    note(enforced, permits, verdict);
    return verdict;
  }

  /** Lets each limit in shadow mode that admitted the request decide on more permits. */
  void tryAddInShadow(long permits, ShadowVerdicts told) {
    for (int i = 0; i < shadows.size(); i++) {
      Account shadow = shadows.get(i);
      if (shadow.isAdmitted()) {
        Verdict verdict = store.decide(shadow.limits(), permits);
        note(shadow, permits, verdict);
        told.tell(i, verdict);
      }
    }
  }

  /** Gives back so many permits, as far as they were taken. */
  Optional<Standings> giveBack(long permits) {
    shadows.forEach(shadow -> shadow.giveBack(permits));
    return enforced.giveBack(permits);
  }

  private static void note(Account account, long cost, Verdict verdict) {
    if (verdict instanceof Verdict.Admitted admitted) {
      account.took(cost, admitted.nowMicros());
    }
  }
}
