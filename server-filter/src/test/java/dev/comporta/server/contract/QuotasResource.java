package dev.comporta.server.contract;

import dev.comporta.server.api.RateLimitExempt;
import dev.comporta.server.api.RateLimited;
import dev.comporta.server.contract.ContractFilters.ToldQuotas;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Answers with what the caller has left. */
@Path("quotas")
public class QuotasResource {

  /** Spends nothing. */
  @GET
  @ToldQuotas
  @RateLimitExempt
  public String quotas() {
    return "";
  }

  /** Spends of its own policy. */
  @GET
  @Path("limited")
  @ToldQuotas
  @RateLimited(value = "9/1h", policy = "asking")
  public String limited() {
    return "";
  }

  /** The policy that is asked about. */
  @GET
  @Path("spend")
  @RateLimited(
      value = {"8/1h", "80/1d"},
      policy = "asked")
  public String spend() {
    return "ok";
  }
}
