package dev.comporta.example;

import jakarta.ws.rs.core.Response.Status;

/**
 * The body of an answer that is not a success, as RFC 9457 has it.
 *
 * @param title what kind of problem it is
 * @param status the HTTP status, repeated
 * @param detail what was wrong with this request
 */
public record Problem(String title, int status, String detail) {

  /** The media type of such a body. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** A request that cannot be understood. */
  public static Problem badRequest(String detail) {
    return of(Status.BAD_REQUEST, detail);
  }

  /** A request whose sender is not who it claims to be. */
  public static Problem unauthorized(String detail) {
    return of(Status.UNAUTHORIZED, detail);
  }

  /** A request for something that is not there. */
  public static Problem notFound(String detail) {
    return of(Status.NOT_FOUND, detail);
  }

  /** A request that is right, and cannot be served. */
  public static Problem unavailable(String detail) {
    return of(Status.SERVICE_UNAVAILABLE, detail);
  }

  private static Problem of(Status status, String detail) {
    return new Problem(status.getReasonPhrase(), status.getStatusCode(), detail);
  }
}
