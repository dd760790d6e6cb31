package dev.comporta.server.contract;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.Charge;
import dev.comporta.server.api.CostResolver;
import dev.comporta.server.api.FailureRule;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** What requests cost, and which of them are charged. */
@Path("charges")
public class ChargesResource {

  /** Only what fails is charged. */
  @POST
  @Path("failures/{status}")
  @RateLimited(value = "3/1h", policy = "failures", charge = Charge.FAILURES)
  public Response failures(@PathParam("status") int status) {
    return answer(status);
  }

  /** Only what succeeds is charged. */
  @POST
  @Path("successes/{status}")
  @RateLimited(value = "3/1h", policy = "successes", charge = Charge.SUCCESSES)
  public Response successes(@PathParam("status") int status) {
    return answer(status);
  }

  /** Only what the application calls a failure is charged. */
  @POST
  @Path("ruled/{status}")
  @RateLimited(
      value = "3/1h",
      policy = "ruled",
      charge = Charge.FAILURES,
      failure = OnlyConflicts.class)
  public Response ruled(@PathParam("status") int status) {
    return answer(status);
  }

  /** Costs what a header says. */
  @GET
  @Path("batch")
  @RateLimited(value = "20/1h", policy = "batch", costBy = BatchCost.class)
  public String batch() {
    return "ok";
  }

  /** Reserves ten; {@link ContractFilters.Spending} settles the rest. */
  @GET
  @Path("tokens")
  @RateLimited(value = "100/1h", policy = "tokens", cost = 10)
  public String tokens() {
    return "ok";
  }

  /** Counts for each tenant. */
  @GET
  @Path("tenants")
  @RateLimited(limits = @Limit(value = "2/1h", keyedBy = TenantKey.class), policy = "tenants")
  public String tenants() {
    return "ok";
  }

  private static Response answer(int status) {
    if (status == 0) {
      throw new IllegalStateException("nobody maps this");
    }
    return Response.status(status).entity("status " + status).type("text/plain").build();
  }

  /** A conflict is a failure, and nothing else is. */
  public static final class OnlyConflicts implements FailureRule {

    @Override
    public boolean isFailure(ContainerResponseContext response) {
      return response.getStatus() == Response.Status.CONFLICT.getStatusCode();
    }
  }

  /** What {@code X-Batch-Size} says, else 1. */
  public static final class BatchCost implements CostResolver {

    @Override
    public long cost(ContainerRequestContext request) {
      return CostResolver.header(request, "X-Batch-Size", 1);
    }
  }

  /** The tenant that {@code X-Tenant} names. */
  public static final class TenantKey implements CallerIdentifier {

    @Override
    public Optional<Caller> identify(ContainerRequestContext request) {
      return Optional.ofNullable(request.getHeaderString("X-Tenant"))
          .map(tenant -> Caller.of("tenant", tenant));
    }
  }
}
