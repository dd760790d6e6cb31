package dev.comporta.example;

import org.jspecify.annotations.Nullable;

/**
 * What a login sends. A field is null where the JSON does not have it.
 *
 * @param user the name
 * @param password the password
 */
public record Credentials(@Nullable String user, @Nullable String password) {

  /** Does not tell the password. */
  @Override
  public String toString() {
    return "Credentials[" + user + "]";
  }
}
