package dev.comporta.server.observe;

import java.util.List;

/** Every meter: its name, its labels, its meaning. The reference is checked against this list. */
enum Meter {
  DECISIONS(
      "comporta.decisions", "counter", "policy, tier, outcome", "requests, by what became of them"),
  MORE(
      "comporta.more",
      "counter",
      "policy, tier, outcome",
      "times that a resource asked for more permits (`RateLimitContext.tryCharge`), by what became"
          + " of them"),
  COST(
      "comporta.cost",
      "counter",
      "policy, tier, outcome",
      "permits: charged where the outcome is `allowed`, asked for in vain otherwise"),
  NEAR_LIMIT(
      "comporta.near.limit",
      "counter",
      "policy, tier",
      "how often a caller came near its limit (`comporta.near-limit-percent`)"),
  STATES(
      "comporta.store.states",
      "gauge",
      "application",
      "states of callers in the memory of this node"),
  SHARED(
      "comporta.store.shared",
      "gauge",
      "application",
      "1 if limits are shared with other nodes, else 0"),
  WORKING(
      "comporta.store.working",
      "gauge",
      "application",
      "1 if the store decides, 0 if `comporta.on-store-failure` does"),
  TRIPS(
      "comporta.store.trips",
      "counter",
      "application",
      "calls to the shared store that carried decisions"),
  CARRIED("comporta.store.carried", "counter", "application", "decisions that these calls carried"),
  REPEATED(
      "comporta.store.repeated",
      "counter",
      "application",
      "refusals that this node repeated without a call"),
  LEASED(
      "comporta.store.leased",
      "counter",
      "application",
      "decisions that this node admitted by a lease, without a call"),
  LATE(
      "comporta.store.late",
      "counter",
      "application",
      "questions to the shared store without an answer within `comporta.store-budget`"),
  FAILED(
      "comporta.store.failed",
      "counter",
      "application",
      "questions to it that ended with an error that passes"),
  FAULTY(
      "comporta.store.faulty",
      "counter",
      "application",
      "questions to it that ended with an error that lasts until someone mends it"),
  ALONE(
      "comporta.store.alone",
      "counter",
      "application",
      "decisions without it, as `comporta.on-store-failure` says");

  private final String id;
  private final String kind;
  private final String labels; // with commas between: a field of an enum must not be mutable
  private final String meaning;

  Meter(String id, String kind, String labels, String meaning) {
    this.id = id;
    this.kind = kind;
    this.labels = labels;
    this.meaning = meaning;
  }

  /** Its name, as Micrometer writes names. */
  String id() {
    return id;
  }

  /** A counter only grows, a gauge tells what is. */
  String kind() {
    return kind;
  }

  /** The names of its labels. */
  List<String> labels() {
    return List.of(labels.split(", "));
  }

  /** What it says. */
  String meaning() {
    return meaning;
  }
}
