package dev.comporta.client.sim;

import java.util.List;
import java.util.Map;

/** A server in virtual time: what it answers to a request that reaches it at an instant. */
public interface SimulatedServer {

  /** The answer to a request; the instants of successive calls do not go back. */
  Response handle(long nowMicros);

  /**
   * An answer.
   *
   * @param status 200, or 429 for a refusal
   * @param headers the lines of each field
   */
  record Response(int status, Map<String, List<String>> headers) {

    public boolean isRefused() {
      return status == 429;
    }
  }
}
