package dev.comporta.server.contract;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** An exception that the application maps to a status. */
public class ContractFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;

  /** One that becomes that status. */
  public ContractFailure(int status) {
    super("status " + status);
    this.status = status;
  }

  /** Maps it. */
  @Provider
  public static class Mapper implements ExceptionMapper<ContractFailure> {

    @Override
    public Response toResponse(ContractFailure failure) {
      return Response.status(failure.status).entity("mapped").type("text/plain").build();
    }
  }
}
