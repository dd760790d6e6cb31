package dev.comporta.example;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Turns a {@link ProblemException} into its answer. */
@Provider
public class ProblemMapper implements ExceptionMapper<ProblemException> {

  @Override
  public Response toResponse(ProblemException exception) {
    Problem problem = exception.problem();
    Response.ResponseBuilder answer =
        Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
    if (problem.status() == Status.UNAUTHORIZED.getStatusCode()) {
      // A 401 must name a scheme. This one is known to no browser, so that none asks for a
      // password.
      answer.header(HttpHeaders.WWW_AUTHENTICATE, "Login realm=\"catalogue\"");
    }
    return answer.build();
  }
}
