package dev.comporta.example;

import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Answers 400 where RESTEasy, having failed to read the JSON of a request, would answer 500. */
@Provider
public class UnreadableBodyMapper implements ExceptionMapper<ProcessingException> {

  @Override
  public Response toResponse(ProcessingException exception) {
    Problem problem = Problem.badRequest("the body is not the JSON that is wanted here");
    return Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem).build();
  }
}
