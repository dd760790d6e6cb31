package dev.comporta.client.header;

import java.time.Duration;
import java.util.Optional;

/**
 * A response as it is being read.
 *
 * @param body the text that came with it, if it is at hand
 * @param retryAfter the wait that it asks for, which is read first
 */
record Reading(
    int status, HeaderLines header, Optional<String> body, Optional<Duration> retryAfter) {

  private static final int FIRST_ERROR = 400;

  /** Whether the status says that the request was not served. */
  boolean isError() {
    return status >= FIRST_ERROR;
  }
}
