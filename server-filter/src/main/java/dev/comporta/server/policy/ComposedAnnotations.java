package dev.comporta.server.policy;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds an annotation on an element, or on the annotations that it carries, however deep. */
final class ComposedAnnotations {

  private ComposedAnnotations() {}

  /** The different annotations of that type at the least depth at which there are any. */
  static <A extends Annotation> Set<A> nearest(AnnotatedElement element, Class<A> wanted) {
    Set<Class<?>> seen = new HashSet<>();
    List<AnnotatedElement> level = List.of(element);
    while (!level.isEmpty()) {
      Set<A> found = new LinkedHashSet<>();
      List<AnnotatedElement> next = new ArrayList<>();
      for (AnnotatedElement at : level) {
        for (Annotation annotation : at.getDeclaredAnnotations()) {
          Class<? extends Annotation> type = annotation.annotationType();
          if (type == wanted) {
            found.add(wanted.cast(annotation));
          } else if (seen.add(type)) {
            next.add(type);
          }
        }
      }
      if (!found.isEmpty()) {
        return found;
      }
      level = next;
    }
    return Set.of();
  }
}
