package dev.comporta.server.cdi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Sees everything but some packages, and loads the classes of this library anew. */
public final class HidingLoader extends ClassLoader {

  private final List<String> hidden;

  /** Without the classes whose names begin so. */
  public HidingLoader(String... hidden) {
    super(HidingLoader.class.getClassLoader());
    this.hidden = List.of(hidden);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (hidden.stream().anyMatch(name::startsWith)) {
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
