package dev.comporta.server.http;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * {@code Access-Control-Expose-Headers}: which headers a page of another origin may read. Without
 * it, a browser shows no quota to the script that needs it.
 */
public final class ExposedHeaders {

  /** The name of the header. */
  public static final String HEADER = "Access-Control-Expose-Headers";

  private ExposedHeaders() {}

  /**
   * The value that names what is exposed already and these, each once, whatever the case of its
   * letters.
   *
   * @param exposed values of the header so far, each a list with commas
   */
  public static String merge(Collection<String> exposed, Collection<String> names) {
    Map<String, String> merged = new LinkedHashMap<>();
    for (String value : exposed) {
      for (String name : value.split(",", -1)) {
        add(merged, name);
      }
    }
    names.forEach(name -> add(merged, name));
    return String.join(", ", merged.values());
  }

  private static void add(Map<String, String> merged, String name) {
    if (!name.isBlank()) {
      merged.putIfAbsent(name.strip().toLowerCase(Locale.ROOT), name.strip());
    }
  }
}
