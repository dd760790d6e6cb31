package dev.comporta.server.filter;

import dev.comporta.server.api.By;
import dev.comporta.server.cdi.Registry;
import dev.comporta.server.config.Settings;
import dev.comporta.server.observe.LimitedOperations;
import dev.comporta.server.observe.LimitedOperations.Operation;
import dev.comporta.server.policy.LimitedResource;
import dev.comporta.server.policy.Mode;
import dev.comporta.server.policy.PolicyCatalog;
import jakarta.ws.rs.ApplicationPath;
import java.util.List;
import java.util.Optional;

/** What the OpenAPI document of an application can tell of its limits. */
final class Operations {

  private Operations() {}

  /** Shows them, until the registration is closed. */
  static Registry.Registration publish(
      PolicyCatalog catalog, Settings settings, Optional<Class<?>> application) {
    List<Operation> operations =
        catalog.limitedResources().stream()
            .filter(resource -> resource.policy().mode() == Mode.ENFORCE)
            .map(Operations::operation)
            .toList();
    return new LimitedOperations(path(application), settings.headers(), operations).publish();
  }

  /* Limits for everyone are not told on the wire, so they are not told here. */
  private static Operation operation(LimitedResource resource) {
    return new Operation(
        resource.httpMethod(),
        resource.path(),
        resource.policy().limits().stream()
            .filter(limit -> limit.by() != By.EVERYONE && !limit.isShadow())
            .map(limit -> limit.permits() + "/" + limit.windowText())
            .toList());
  }

  private static String path(Optional<Class<?>> application) {
    return application
        .flatMap(type -> Optional.ofNullable(type.getAnnotation(ApplicationPath.class)))
        .map(ApplicationPath::value)
        .orElse("");
  }
}
