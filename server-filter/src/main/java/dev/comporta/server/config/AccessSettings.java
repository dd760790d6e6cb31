package dev.comporta.server.config;

import dev.comporta.server.caller.UnknownCaller;
import java.util.List;

/**
 * Whom limits do not concern, and whom nothing is answered.
 *
 * @param allow callers that no limit refuses, as they are written
 * @param block callers that are always refused, as they are written
 * @param unknown what becomes of a caller that nothing tells
 */
public record AccessSettings(List<String> allow, List<String> block, UnknownCaller unknown) {

  /** Copies what it is given. */
  public AccessSettings {
    allow = List.copyOf(allow);
    block = List.copyOf(block);
  }
}
