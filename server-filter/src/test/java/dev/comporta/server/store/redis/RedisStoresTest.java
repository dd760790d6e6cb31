package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RedisStoresTest {

  @Test
  void saysWhatToAddWhenRedissonIsMissing() {
    assertThatThrownBy(() -> RedisStores.require(without("org.redisson.")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("comporta.store=redis needs org.redisson:redisson: add it to the dependencies");
  }

  @Test
  void saysWhatToAddWhenTheBreakerIsMissing() {
    assertThatThrownBy(() -> RedisStores.require(without("io.github.resilience4j.")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("io.github.resilience4j:resilience4j-circuitbreaker");
  }

  @Test
  void isContentWhenBothAreThere() {
    assertThatCode(() -> RedisStores.require(RedisStores.class.getClassLoader()))
        .doesNotThrowAnyException();
  }

  private static ClassLoader without(String prefix) {
    return new ClassLoader(RedisStoresTest.class.getClassLoader()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith(prefix)) {
          throw new ClassNotFoundException(name);
        }
        return super.loadClass(name, resolve);
      }
    };
  }
}
