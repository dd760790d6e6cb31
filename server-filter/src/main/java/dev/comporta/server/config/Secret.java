package dev.comporta.server.config;

import java.nio.charset.StandardCharsets;

/** A value that is never printed. */
public record Secret(String value) {

  /** The value in UTF-8. */
  public byte[] bytes() {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "***";
  }
}
