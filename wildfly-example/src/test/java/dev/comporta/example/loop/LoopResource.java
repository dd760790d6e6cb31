package dev.comporta.example.loop;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Each algorithm under a limit per second and one per minute. */
@Path("")
public class LoopResource {

  private static final String ANSWER = "served";
  private static final String SECOND = "100/1s";
  private static final String MINUTE = "600/1m";

  @GET
  @Path("100/1s/TOKEN_BUCKET")
  @RateLimited(limits = @Limit(SECOND))
  public String bucketOfASecond() {
    return ANSWER;
  }

  @GET
  @Path("100/1s/SLIDING_WINDOW_COUNTER")
  @RateLimited(limits = @Limit(value = SECOND, algorithm = Algorithm.SLIDING_WINDOW_COUNTER))
  public String weightedWindowOfASecond() {
    return ANSWER;
  }

  @GET
  @Path("100/1s/SLIDING_WINDOW_LOG")
  @RateLimited(limits = @Limit(value = SECOND, algorithm = Algorithm.SLIDING_WINDOW_LOG))
  public String logOfASecond() {
    return ANSWER;
  }

  @GET
  @Path("100/1s/FIXED_WINDOW")
  @RateLimited(limits = @Limit(value = SECOND, algorithm = Algorithm.FIXED_WINDOW))
  public String fixedWindowOfASecond() {
    return ANSWER;
  }

  @GET
  @Path("600/1m/TOKEN_BUCKET")
  @RateLimited(limits = @Limit(MINUTE))
  public String bucketOfAMinute() {
    return ANSWER;
  }

  @GET
  @Path("600/1m/SLIDING_WINDOW_COUNTER")
  @RateLimited(limits = @Limit(value = MINUTE, algorithm = Algorithm.SLIDING_WINDOW_COUNTER))
  public String weightedWindowOfAMinute() {
    return ANSWER;
  }

  @GET
  @Path("600/1m/SLIDING_WINDOW_LOG")
  @RateLimited(limits = @Limit(value = MINUTE, algorithm = Algorithm.SLIDING_WINDOW_LOG))
  public String logOfAMinute() {
    return ANSWER;
  }

  @GET
  @Path("600/1m/FIXED_WINDOW")
  @RateLimited(limits = @Limit(value = MINUTE, algorithm = Algorithm.FIXED_WINDOW))
  public String fixedWindowOfAMinute() {
    return ANSWER;
  }
}
