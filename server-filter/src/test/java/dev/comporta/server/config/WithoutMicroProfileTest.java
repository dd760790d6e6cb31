package dev.comporta.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class WithoutMicroProfileTest {

  /** Sees everything but MicroProfile Config, and loads our rooms anew. */
  private static final class Bare extends ClassLoader {

    Bare() {
      super(WithoutMicroProfileTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.eclipse.microprofile.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("dev.comporta.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (code == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = code.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }

  @Test
  void settingsComeFromSystemPropertiesAndEnvironment() throws Exception {
    Class<?> source = new Bare().loadClass(Source.class.getName());
    Method ofServer = source.getMethod("ofServer");

    Object found = ofServer.invoke(null);

    assertThat(found.getClass().getName()).isEqualTo(SystemSource.class.getName());
    assertThat(found.getClass().getClassLoader()).isInstanceOf(Bare.class);
  }
}
