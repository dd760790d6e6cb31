package dev.comporta.server.observe;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents the limits of a Jakarta REST application in its OpenAPI document: the response 429 with
 * its headers and bodies, and the headers that tell quotas on success. An operation that documents
 * 429 by itself is left alone. Needs MicroProfile OpenAPI 4. Activated by configuration:
 *
 * <pre>{@code
 * mp.openapi.filter=dev.comporta.server.observe.OpenApiFilter
 * }</pre>
 *
 * <p>An application that has a filter of its own calls {@link #filterOpenAPI} from it.
 */
public final class OpenApiFilter implements OASFilter {

  private static final Logger LOG = LoggerFactory.getLogger(OpenApiFilter.class);

  /** For MicroProfile OpenAPI. */
  public OpenApiFilter() {}

  @Override
  public void filterOpenAPI(OpenAPI document) {
    if (document.getPaths() == null || document.getPaths().getPathItems() == null) {
      return;
    }
    List<LimitedOperations> all = LimitedOperations.here();
    if (all.isEmpty()) {
      LOG.warn(
          "The OpenAPI document tells no limits: no limited application has started before it is built");
      return;
    }
    try {
      all.forEach(limited -> document(document, limited));
    } catch (LinkageError other) {
      LOG.warn("The OpenAPI document tells no limits: MicroProfile OpenAPI 4 is needed", other);
    }
  }

  private static void document(OpenAPI document, LimitedOperations limited) {
    Map<String, PathItem> items = document.getPaths().getPathItems();
    Map<String, LimitedOperations.Operation> wanted = byPath(limited, prefix(limited, items));
    RefusalDocumentation documentation = new RefusalDocumentation(document, limited.dialects());
    items.forEach(
        (path, item) ->
            operations(item)
                .forEach(
                    (method, operation) -> {
                      LimitedOperations.Operation found =
                          wanted.get(key(method.name(), PathTemplate.canonical(path)));
                      if (found != null) {
                        documentation.addTo(operation, found.limits());
                      }
                    }));
  }

  /* Null for an item that only refers to another one. */
  private static Map<PathItem.HttpMethod, Operation> operations(PathItem item) {
    Map<PathItem.HttpMethod, Operation> operations = item.getOperations();
    return operations == null ? Map.of() : operations;
  }

  /* A document that a file gives may have the path of the application in its servers alone. */
  private static String prefix(LimitedOperations limited, Map<String, PathItem> items) {
    String application = PathTemplate.canonical(limited.applicationPath());
    boolean isInPaths =
        items.keySet().stream()
            .map(PathTemplate::canonical)
            .anyMatch(path -> path.equals(application) || path.startsWith(application + "/"));
    return isInPaths ? application : "";
  }

  private static Map<String, LimitedOperations.Operation> byPath(
      LimitedOperations limited, String prefix) {
    Map<String, LimitedOperations.Operation> byPath = new HashMap<>();
    for (LimitedOperations.Operation operation : limited.operations()) {
      byPath.put(
          key(operation.httpMethod(), PathTemplate.join(prefix, operation.path())), operation);
    }
    return byPath;
  }

  private static String key(String httpMethod, String path) {
    return httpMethod.toUpperCase(Locale.ROOT) + " " + path;
  }
}
