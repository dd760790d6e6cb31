package dev.comporta.server.config;

import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the source of settings that this server has. */
final class Sources {

  private static final Logger LOG = LoggerFactory.getLogger(Sources.class);

  private static final String MICROPROFILE = "org.eclipse.microprofile.config.ConfigProvider";

  /** Settings are read again and again; why they come from elsewhere is told once. */
  private static final AtomicBoolean IS_TOLD = new AtomicBoolean();

  private Sources() {}

  static Source ofServer() {
    if (!isVisible(MICROPROFILE)) {
      return new SystemSource();
    }
    try {
      return MicroProfileSource.ofApplication();
    } catch (IllegalStateException | LinkageError | ServiceConfigurationError notUsable) {
      if (IS_TOLD.compareAndSet(false, true)) {
        LOG.info(
            "MicroProfile Config is visible but not usable; settings come from system properties"
                + " and the environment",
            notUsable);
      }
      return new SystemSource();
    }
  }

  /** Asks our own class loader: another may see classes that we cannot link to. */
  static boolean isVisible(String className) {
    try {
      Class.forName(className, false, Sources.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
