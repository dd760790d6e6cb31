package dev.comporta.server.policy;

import java.util.regex.Pattern;

/** The names that an application may give to policies, tiers and API keys. */
public final class PolicyNames {

  /** The rule, for messages. */
  public static final String RULE = "a name must be letters, digits, '-' and '_', 64 at most";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private PolicyNames() {}

  /** Whether a name keeps the rule. */
  public static boolean isValid(String name) {
    return NAME.matcher(name).matches();
  }
}
