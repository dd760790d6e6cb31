package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.server.api.Algorithm;
import dev.comporta.server.api.By;
import dev.comporta.server.api.Caller;
import dev.comporta.server.api.CallerIdentifier;
import dev.comporta.server.api.Estimate;
import dev.comporta.server.api.Limit;
import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnnotatedLimitTest {

  static class Tenant implements CallerIdentifier {
    @Override
    public Optional<Caller> identify(ContainerRequestContext request) {
      return Optional.empty();
    }
  }

  abstract static class Unfinished implements CallerIdentifier {}

  @RateLimited(limits = @Limit("100/1m"))
  static class Plain {}

  @RateLimited(limits = @Limit(value = " 100/1m ", burst = 20, by = By.EVERYONE, shadow = true))
  static class Burst {}

  @RateLimited(
      limits =
          @Limit(
              value = "100/1m",
              algorithm = Algorithm.SLIDING_WINDOW_COUNTER,
              segments = 10,
              estimate = Estimate.OBSERVED))
  static class Counter {}

  @RateLimited(limits = @Limit(value = "1000/day", zone = "Europe/Lisbon"))
  static class Daily {}

  @RateLimited(limits = @Limit(value = "100/1m;burst=20", by = By.ADDRESS))
  static class Mixed {}

  @Test
  void writesWhatIsSetAsTheGrammarDoes() {
    assertThat(text(Plain.class)).isEqualTo("100/1m");
    assertThat(text(Burst.class)).isEqualTo("100/1m;burst=20;by=everyone;shadow");
    assertThat(text(Counter.class))
        .isEqualTo("100/1m;algorithm=sliding-window-counter;estimate=observed;segments=10");
    assertThat(text(Daily.class)).isEqualTo("1000/day;zone=Europe/Lisbon");
    assertThat(text(Mixed.class)).isEqualTo("100/1m;burst=20;by=address");
  }

  @RateLimited(limits = @Limit(value = "100/1m; burst = 20", burst = 30))
  static class TwoBursts {}

  @RateLimited(limits = @Limit(value = "100/1m;shadow", shadow = true))
  static class TwoShadows {}

  @Test
  void refusesAParameterThatTextAndMemberState() {
    assertThatThrownBy(() -> text(TwoBursts.class))
        .hasMessage(
            "burst must be stated once, was in the text '100/1m; burst = 20' and as a member");
    assertThatThrownBy(() -> text(TwoShadows.class)).hasMessageStartingWith("shadow must be");
  }

  @RateLimited(limits = @Limit(value = "100/1m", keyedBy = Tenant.class, by = By.ADDRESS))
  static class KeyedAndBy {}

  @RateLimited(limits = @Limit(value = "100/1m;by=caller", keyedBy = Tenant.class))
  static class KeyedAndByInText {}

  @RateLimited(limits = @Limit(value = "100/1m", keyedBy = Unfinished.class))
  static class KeyedByNothing {}

  @Test
  void refusesAKeyWithByAndAClassThatCannotBe() {
    assertThatThrownBy(() -> spec(KeyedAndBy.class))
        .hasMessageStartingWith("keyedBy and by must not stand together, was ");
    assertThatThrownBy(() -> spec(KeyedAndByInText.class))
        .hasMessageStartingWith("keyedBy and by must not stand together, was ");
    assertThatThrownBy(() -> spec(KeyedByNothing.class))
        .hasMessageContaining("was the abstract class " + Unfinished.class.getName());
  }

  private static String text(Class<?> annotated) {
    return AnnotatedLimit.text(limit(annotated));
  }

  private static LimitSpec spec(Class<?> annotated) {
    return AnnotatedLimit.spec(limit(annotated), ZoneOffset.UTC);
  }

  private static Limit limit(Class<?> annotated) {
    return annotated.getAnnotation(RateLimited.class).limits()[0];
  }
}
