package dev.comporta.server.store.redis;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
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

  @Test
  void opensNothingOfRedissonBeforeItHasLooked() throws ReflectiveOperationException {
    Class<?> stores = new Redefining("org.redisson.").loadClass(RedisStores.class.getName());
    Method open =
        Arrays.stream(stores.getMethods())
            .filter(method -> method.getName().equals("open"))
            .findFirst()
            .orElseThrow();

    assertThatThrownBy(() -> open.invoke(null, null, null, null, null))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("comporta.store=redis needs org.redisson:redisson");
  }

  /** Loads the classes of Comporta anew, so that they see a class path without that library. */
  private static final class Redefining extends ClassLoader {

    private final String missing;

    Redefining(String missing) {
      super(RedisStoresTest.class.getClassLoader());
      this.missing = missing;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(missing)) {
        throw new ClassNotFoundException(name);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null || !name.startsWith("dev.comporta.")) {
        return loaded != null ? loaded : super.loadClass(name, resolve);
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }
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
