package dev.comporta.server.contract;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** A probe that must never be refused. */
@Path("health")
public class HealthResource {

  /** 200. */
  @GET
  @Path("live")
  public String live() {
    return "UP";
  }
}
