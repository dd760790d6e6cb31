package dev.comporta.server.cdi;

import dev.comporta.server.api.Caller;
import dev.comporta.server.api.Quota;
import dev.comporta.server.api.RateLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What {@code @Inject RateLimits} gives: the limits of the one Jakarta REST application of this
 * deployment, looked up at each call, since beans may be there before the application is.
 */
public final class InjectedLimits implements RateLimits {

  private static final Registry<RateLimits> RUNNING = new Registry<>();

  InjectedLimits() {}

  /** Makes the limits of an application injectable, until the registration is closed. */
  public static Registry.Registration register(RateLimits limits) {
    return RUNNING.add(limits);
  }

  @Override
  public List<Quota> peek(Caller caller) {
    return running().peek(caller);
  }

  @Override
  public void reset(Caller caller) {
    running().reset(caller);
  }

  @Override
  public void reset(String policy, Caller caller) {
    running().reset(policy, caller);
  }

  @Override
  public void grant(String policy, Caller caller, long permits) {
    running().grant(policy, caller, permits);
  }

  @Override
  public void block(Caller caller, Duration duration) {
    running().block(caller, duration);
  }

  @Override
  public void unblock(Caller caller) {
    running().unblock(caller);
  }

  @Override
  public Optional<Duration> blockedFor(Caller caller) {
    return running().blockedFor(caller);
  }

  @Override
  public void change(String policy, List<String> limits) {
    running().change(policy, limits);
  }

  @Override
  public void revert(String policy) {
    running().revert(policy);
  }

  private static RateLimits running() {
    List<RateLimits> running = RUNNING.here();
    if (running.isEmpty()) {
      throw new IllegalStateException(
          "RateLimits was called before the Jakarta REST application has started, or after its"
              + " end");
    }
    if (running.size() > 1) {
      throw new IllegalStateException(
          "RateLimits must be of one Jakarta REST application, but this deployment has "
              + running.size()
              + ": use RateLimits.of(configuration) instead of injection");
    }
    return running.get(0);
  }
}
