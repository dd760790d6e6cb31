package dev.comporta.server.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.api.Caller;
import dev.comporta.server.caller.AddressCaller;
import dev.comporta.server.caller.AddressRules;
import dev.comporta.server.caller.CallerChain;
import dev.comporta.server.caller.CallerHash;
import dev.comporta.server.caller.RequestCallers;
import dev.comporta.server.caller.UnknownCaller;
import dev.comporta.server.store.Change;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlocksTest {

  private static final long NOW = 1_000_000;

  private final CallerKeys keys = new CallerKeys("library", CallerHash.plain());
  private final Blocks blocks = new Blocks();

  @ParameterizedTest
  @CsvSource({"60, 3600, 3600", "3600, 60, 3600", "60, 0, 60", "0, 60, 60"})
  void whoeverIsBlockedTwiceIsToldWhenBothBlocksAreOver(long caller, long address, long left) {
    blocks.apply(keys.hash(Caller.of("principal", "ann")), until(NOW + caller));
    blocks.apply(keys.hash(Caller.of("address", "192.0.2.1")), until(NOW + address));

    assertThat(blocks.leftMicros(callers(), keys, () -> NOW)).hasValue(left);
  }

  private static Change until(long endsAtMicros) {
    return new Change("blocked", NOW, OptionalLong.of(endsAtMicros));
  }

  private static RequestCallers callers() {
    CallerChain chain =
        new CallerChain(
            List.of(request -> Optional.of(Caller.of("principal", "ann"))),
            new AddressCaller(request -> Optional.of("192.0.2.1"), AddressRules.DEFAULT),
            List.of(),
            UnknownCaller.DENY);
    return chain.of(request());
  }

  private static ContainerRequestContext request() {
    return (ContainerRequestContext)
        Proxy.newProxyInstance(
            BlocksTest.class.getClassLoader(),
            new Class<?>[] {ContainerRequestContext.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            });
  }
}
