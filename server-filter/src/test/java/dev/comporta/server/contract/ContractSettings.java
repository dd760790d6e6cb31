package dev.comporta.server.contract;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The settings under which {@link ContractApplication} runs, wherever a server takes them from. */
public final class ContractSettings {

  /** Names and values. All else is as it is by default. */
  public static final Map<String, String> ALL =
      new TreeMap<>(
          Map.of(
              "comporta.policies.shadowed.mode", "shadow",
              "comporta.policies.switched-off.mode", "off",
              "comporta.policies.tiered.tiers.gold.limits", "4/1h",
              "comporta.policies.tiered.tiers.partner.limits", "6/1h",
              "comporta.tiers.gold.roles", "gold",
              "comporta.api-keys.contract.sha256", sha256("contract-key"),
              "comporta.api-keys.contract.tier", "partner",
              "comporta.exempt-paths", "/policies/probes/{name}",
              "comporta.block", "principal:banned",
              "comporta.allow", "principal:friend"));

  private ContractSettings() {}

  /** The same as the text of a properties file. */
  public static String asProperties() {
    return ALL.entrySet().stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
        .collect(Collectors.joining());
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
