package dev.comporta.example;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Charge;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The door. The one user is {@code ana}, with the password {@code sluice}; nothing is behind it.
 */
@Path("login")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class LoginResource {

  private static final String USER = "ana";
  private static final String PASSWORD = "sluice";

  /**
   * By address, so that another user name does not buy another five guesses. Whoever knows the
   * password is not charged for it.
   */
  @POST
  @RateLimited(
      policy = "login",
      limits = @Limit(value = "5/15m", by = By.ADDRESS, algorithm = Algorithm.SLIDING_WINDOW_LOG),
      charge = Charge.FAILURES)
  public Map<String, String> login(@Nullable Credentials given) {
    if (given == null || given.user() == null || given.password() == null) {
      throw new ProblemException(Problem.badRequest("user and password are both needed"));
    }
    // Both are compared before either is judged: the time must not tell which was wrong.
    boolean isUser = same(USER, given.user());
    boolean isPassword = same(PASSWORD, given.password());
    if (!isUser || !isPassword) {
      throw new ProblemException(Problem.unauthorized("user or password is wrong"));
    }
    return Map.of("welcome", USER);
  }

  private static boolean same(String expected, String given) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }
}
