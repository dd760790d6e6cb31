package dev.comporta.server.contract;

import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Response;
import java.net.URI;

/** Every kind of answer, under one policy that is never used up. */
@Path("answers")
@RateLimited(value = "1000/1h", policy = "answers")
public class AnswersResource {

  /** 200. */
  @GET
  @Path("ok")
  public String ok() {
    return "ok";
  }

  /** 204. */
  @GET
  @Path("empty")
  public void empty() {}

  /** 201. */
  @POST
  @Path("created")
  public Response created() {
    return Response.created(URI.create("/somewhere")).build();
  }

  /** 404, thrown. */
  @GET
  @Path("not-found")
  public String notFound() {
    throw new NotFoundException();
  }

  /** 403, thrown. */
  @GET
  @Path("forbidden")
  public String forbidden() {
    throw new ForbiddenException();
  }

  /** That status, mapped. */
  @GET
  @Path("mapped/{status}")
  public String mapped(@PathParam("status") int status) {
    throw new ContractFailure(status);
  }

  /** 500, since nothing maps this. */
  @GET
  @Path("unmapped")
  public String unmapped() {
    throw new IllegalStateException("nobody maps this");
  }

  /** 404 for what is no number. */
  @GET
  @Path("numbers/{number}")
  public String number(@PathParam("number") int number) {
    return Integer.toString(number);
  }

  /** 404 for what is no number. */
  @GET
  @Path("query")
  public String query(@QueryParam("number") int number) {
    return Integer.toString(number);
  }

  /** 200, later. */
  @GET
  @Path("async")
  public void async(@Suspended AsyncResponse response) {
    response.resume("later");
  }

  /** An answer that brings headers of the same names. */
  @GET
  @Path("own-headers")
  public Response ownHeaders() {
    return Response.ok("own")
        .header("X-RateLimit-Limit", "7")
        .header("X-RateLimit-Limit", "8")
        .header("RateLimit", "\"own\";r=1")
        .build();
  }
}
