package dev.comporta.server.limiter;

import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.policy.PolicyFault;
import dev.comporta.server.store.Change;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the limits that running code has given to policies into force, where they fit. What does not
 * fit this node, since it runs another version of the application, leaves its policy as it is, and
 * is told once. Not thread-safe.
 */
final class ChangedPolicies {

  private static final Logger LOG = LoggerFactory.getLogger(ChangedPolicies.class);

  private static final String SEPARATOR = ","; // no limit has one

  /** The limits of a policy are shorter, and so is what may be wrong with them. */
  private static final int MOST_LOGGED = 1_000;

  /** Control and format characters, those that begin a line, and what Unicode has not assigned. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

  private final PolicyCatalog catalog;
  private final Map<String, Refused> refused = new HashMap<>();

  ChangedPolicies(PolicyCatalog catalog) {
    this.catalog = catalog;
  }

  /** Who has made a change. */
  enum Origin {
    THIS_NODE("here"),
    OTHER_NODE("on another node"),
    EARLIER("before this node started");

    private final String where;

    Origin(String where) {
      this.where = where;
    }
  }

  /** A change that did not fit, and what was known then. */
  private record Refused(Change change, Origin origin, boolean isPolicyKnown, int changes) {}

  /** Limits as the text of a change. */
  static String text(List<String> limits) {
    return String.join(SEPARATOR, limits);
  }

  /** Puts a change into force, if it fits. */
  void apply(String policy, Change change, Origin origin) {
    refused.remove(policy);
    if (change.isTakenBack()) {
      if (catalog.revert(policy)) {
        LOG.info("Policy '{}' has its own limits again, by code that ran {}", policy, origin.where);
      }
      return;
    }
    String fault = adopt(policy, change.text());
    if (fault.isEmpty()) {
      tell(policy, change, origin);
    } else {
      refuse(policy, change, origin);
      LOG.error(
          "Policy '{}' keeps its limits here: code that ran {} has given it '{}', but {}",
          printable(policy),
          origin.where,
          printable(change.text()),
          printable(fault));
    }
  }

  /** Tries again what did not fit, where something is different now. Costs nothing otherwise. */
  void retry() {
    if (refused.isEmpty()) {
      return;
    }
    Map.copyOf(refused)
        .forEach(
            (policy, before) -> {
              boolean isSame =
                  before.isPolicyKnown() == catalog.policy(policy).isPresent()
                      && before.changes() == catalog.history().changes();
              if (!isSame) {
                tryAgain(policy, before);
              }
            });
  }

  private void tryAgain(String policy, Refused before) {
    if (adopt(policy, before.change().text()).isEmpty()) {
      refused.remove(policy);
      tell(policy, before.change(), before.origin());
    } else {
      refuse(policy, before.change(), before.origin());
    }
  }

  private void refuse(String policy, Change change, Origin origin) {
    refused.put(
        policy,
        new Refused(
            change, origin, catalog.policy(policy).isPresent(), catalog.history().changes()));
  }

  /** What keeps it from fitting; empty if it is in force now. */
  private String adopt(String policy, String text) {
    if (catalog.policy(policy).isEmpty()) {
      return "no resource here has that policy";
    }
    try {
      return catalog
          .override(policy, catalog.inPlaceOf(policy, List.of(text.split(SEPARATOR))))
          .stream()
          .map(PolicyFault::toString)
          .collect(Collectors.joining("; "));
    } catch (IllegalArgumentException invalid) {
      return String.valueOf(invalid.getMessage());
    }
  }

  /* Whoever may write to the store may write anything there. */
  private static String printable(String text) {
    String cut = text.length() > MOST_LOGGED ? text.substring(0, MOST_LOGGED) + "..." : text;
    return UNPRINTABLE.matcher(cut).replaceAll("?");
  }

  /* One that nobody remembers giving is what an operator looks for. */
  private static void tell(String policy, Change change, Origin origin) {
    String words = "Policy '{}' has the limits '{}' from now on, given by code that ran {}";
    if (origin == Origin.EARLIER) {
      LOG.warn(words, policy, printable(change.text()), origin.where);
    } else {
      LOG.info(words, policy, printable(change.text()), origin.where);
    }
  }
}
