package dev.comporta.client.header;

import dev.comporta.client.header.Throttle.Resending;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How one vendor tells its limits. Immutable.
 *
 * @param name the vendor, as people call it
 * @param signs how its responses are known
 * @param naming how its limits are told apart
 * @param windows where it writes its windows; none where it writes them as most do
 * @param rules its refusals, and what follows them
 */
record Profile(String name, Signs signs, Naming naming, List<WindowForm> windows, Rules rules) {

  /**
   * How the responses of a vendor are known.
   *
   * @param hosts names of hosts in small letters; {@code *.example} stands for all below it
   * @param fields fields that no other vendor has
   * @param prefixes how the names of such fields begin
   */
  record Signs(List<String> hosts, List<FieldName> fields, List<String> prefixes) {}

  /**
   * How the limits of a vendor are told apart.
   *
   * @param bucketFields fields that name the limit
   * @param policyFields fields that name the policy that governs
   * @param arePoliciesNamed whether the names of windows are names of policies
   * @param areBucketsNamed whether the names of windows tell one limit from another
   * @param resetFields fields that tell the end of the tightest window
   */
  record Naming(
      List<FieldName> bucketFields,
      List<FieldName> policyFields,
      boolean arePoliciesNamed,
      boolean areBucketsNamed,
      List<FieldName> resetFields) {}

  /** The refusals of a vendor, and what follows them. */
  record Rules(
      List<WaitRule> waits,
      List<RefusalRule> refusals,
      List<ResendingRule> resendings,
      Optional<Duration> usualWait) {}

  /** The first wait that the rules find in the header, or the one in the body if it is longer. */
  Optional<Duration> wait(Reading reading) {
    Optional<Duration> wait = Optional.empty();
    for (WaitRule rule : rules.waits) {
      if (rule.field().isEmpty() || wait.isEmpty()) {
        wait = RetryAfterHeader.larger(wait, rule.read(reading));
      }
    }
    return wait;
  }

  boolean isRefusal(Reading reading, List<Window> told) {
    for (RefusalRule rule : rules.refusals) {
      if (rule.applies(reading, told)) {
        return true;
      }
    }
    return false;
  }

  /** What the first rule that applies says. */
  Resending resending(Reading reading) {
    for (ResendingRule rule : rules.resendings) {
      if (rule.applies(reading)) {
        return rule.resending();
      }
    }
    return Resending.NOT_TOLD;
  }
}
