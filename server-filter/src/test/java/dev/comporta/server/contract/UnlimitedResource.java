package dev.comporta.server.contract;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Says nothing about limits. */
@Path("unlimited")
public class UnlimitedResource {

  /** 200. */
  @GET
  public String get() {
    return "ok";
  }
}
