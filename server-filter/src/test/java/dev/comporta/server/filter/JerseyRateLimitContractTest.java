package dev.comporta.server.filter;

import dev.comporta.server.contract.ContractApplication;
import dev.comporta.server.contract.ContractSettings;
import dev.comporta.server.contract.RateLimitContract;
import java.net.URI;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on Jersey, without a line of registration. */
class JerseyRateLimitContractTest extends RateLimitContract {

  private static JerseyServer server;

  @BeforeAll
  static void start() {
    ContractSettings.ALL.forEach(System::setProperty);
    SystemSettings.forgetConfig();
    server = new JerseyServer(ResourceConfig.forApplicationClass(ContractApplication.class));
  }

  @AfterAll
  static void stop() {
    server.close();
    ContractSettings.ALL.keySet().forEach(System::clearProperty);
    SystemSettings.forgetConfig();
  }

  @Override
  protected URI baseUri() {
    return server.base().resolve("api/");
  }

  @Override
  protected boolean tellsAfterUnmappedExceptions() {
    return false;
  }
}
