package dev.comporta.server.filter;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Settings that last for one test. */
final class SystemSettings implements AfterEachCallback {

  private final List<String> keys = new ArrayList<>();

  /** Sets keys and values, in turn. */
  void set(String... keysAndValues) {
    for (int i = 0; i < keysAndValues.length; i += 2) {
      System.setProperty(keysAndValues[i], keysAndValues[i + 1]);
      keys.add(keysAndValues[i]);
    }
    forgetConfig();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    keys.forEach(System::clearProperty);
    forgetConfig();
  }

  /** Lets the next to ask read what is set now. */
  static void forgetConfig() {
    ConfigProviderResolver.instance().releaseConfig(ConfigProvider.getConfig());
  }
}
