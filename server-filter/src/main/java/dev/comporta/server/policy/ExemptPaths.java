package dev.comporta.server.policy;

import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/*
 * How this works, and why. Not the path of a request is compared, whose spelling the client
 * chooses, but the template of the resource method that the server has chosen for it: @Path of the
 * class and @Path of the method, without that of the Application. So no spelling of a path can make
 * a request exempt. Both sides are brought into one form: no empty segments, {id: \d+} as {id}.
 *
 * Two lists, with different force. What the operator writes wins over any annotation: it is newer
 * than the code and meant for this deployment. The standing ones (health, metrics, OpenAPI) are a
 * guess, and give way to an annotation on the class or method itself; they only keep an annotated
 * Application from limiting its own probes.
 */
/**
 * The resources that are kept out of every limit, by the templates of their paths: {@code
 * /books/{id}}, or {@code /internal/*} for that path and all below.
 */
public final class ExemptPaths {

  /** Only those that are exempt everywhere: health, metrics and OpenAPI. */
  public static final ExemptPaths STANDING = new ExemptPaths(Set.of());

  private static final List<PathTemplate> PROBES =
      Stream.of("/health/*", "/metrics/*", "/openapi/*").map(PathTemplate::parse).toList();

  private final Set<PathTemplate> chosen;

  private ExemptPaths(Collection<PathTemplate> chosen) {
    this.chosen = new LinkedHashSet<>(chosen);
  }

  /**
   * These templates, and the standing ones.
   *
   * @throws IllegalArgumentException if one is not valid; the message names the rule and the value
   */
  public static ExemptPaths of(Collection<String> templates) {
    return new ExemptPaths(templates.stream().map(PathTemplate::parse).toList());
  }

  /** Whether an operator has chosen that resource to be exempt. */
  boolean isChosen(List<String> path) {
    return chosen.stream().anyMatch(template -> template.covers(path));
  }

  /** Whether that is a resource of health, metrics or OpenAPI. */
  boolean isProbe(List<String> path) {
    return PROBES.stream().anyMatch(template -> template.covers(path));
  }

  /** The chosen templates that cover none of these resources. */
  List<String> without(Collection<List<String>> paths) {
    List<String> unused = new ArrayList<>();
    for (PathTemplate template : chosen) {
      if (paths.stream().noneMatch(template::covers)) {
        unused.add(template.toString());
      }
    }
    return unused;
  }

  /**
   * The segments of the template of a resource method, without the path of the Application. Nothing
   * for a sub-resource: its path depends on the locator that leads to it.
   */
  static Optional<List<String>> pathOf(Class<?> resource, Method method) {
    Optional<String> ofClass =
        ResourceMethods.hierarchy(resource).stream()
            .flatMap(type -> Optional.ofNullable(type.getAnnotation(Path.class)).stream())
            .map(Path::value)
            .findFirst();
    String ofMethod =
        ResourceMethods.withOverridden(resource, method).stream()
            .flatMap(at -> Optional.ofNullable(at.getAnnotation(Path.class)).stream())
            .map(Path::value)
            .findFirst()
            .orElse("");
    return ofClass.map(start -> PathTemplate.segments(start + "/" + ofMethod));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExemptPaths that && chosen.equals(that.chosen);
  }

  @Override
  public int hashCode() {
    return chosen.hashCode();
  }

  /** The chosen ones. */
  @Override
  public String toString() {
    return chosen.toString();
  }
}
