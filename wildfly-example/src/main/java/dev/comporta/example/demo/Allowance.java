package dev.comporta.example.demo;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.ws.rs.client.WebTarget;
import jakarta.ws.rs.core.MultivaluedMap;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;

/**
 * What the server would let a caller have, told by {@code GET /api/limits} at the start.
 *
 * @param gates the limits of the policy; empty if the server tells none
 */
record Allowance(List<Gate> gates) {

  /**
   * A limit as it stands at the start.
   *
   * @param limit permits that come back in each window
   * @param remaining permits that are there already
   * @param windowMillis the window
   */
  record Gate(long limit, long remaining, long windowMillis) {

    long admits(Duration span) {
      return remaining + limit * span.toMillis() / windowMillis;
    }
  }

  /** Copies what it is given. */
  Allowance {
    gates = List.copyOf(gates);
  }

  /** Asks the server. */
  static Allowance ask(WebTarget api, MultivaluedMap<String, Object> headers, String policy) {
    String answer = api.path("limits").request().headers(headers).get(String.class);
    try (JsonReader reader = Json.createReader(new StringReader(answer))) {
      return new Allowance(
          reader.readArray().getValuesAs(JsonObject.class).stream()
              .filter(gate -> gate.getString("policy").equals(policy))
              .map(Allowance::gate)
              .toList());
    }
  }

  /** The most requests of cost 1 that all limits together admit in that span. */
  long admits(Duration span) {
    return gates.stream().mapToLong(gate -> gate.admits(span)).min().orElse(Long.MAX_VALUE);
  }

  private static Gate gate(JsonObject json) {
    return new Gate(
        json.getJsonNumber("limit").longValue(),
        json.getJsonNumber("remaining").longValue(),
        json.getJsonNumber("windowMillis").longValue());
  }
}
