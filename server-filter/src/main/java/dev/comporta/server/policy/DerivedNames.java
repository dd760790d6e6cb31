package dev.comporta.server.policy;

import dev.comporta.server.policy.Place.Owner;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names policies after their class or method: {@code BookResource}, {@code
 * BookResource.get(String)}. The package is left out unless two classes differ in nothing else, and
 * likewise those of parameters, so that the name does not depend on what was discovered first. A
 * parenthesis or a dot, which no given name may have, keeps the others apart from given names; a
 * class alone is marked by a trailing dot and asterisk.
 */
final class DerivedNames {

  private final Map<String, Set<Class<?>>> typesByShortName = new HashMap<>();

  DerivedNames(Collection<Owner> owners) {
    for (Owner owner : owners) {
      typesByShortName
          .computeIfAbsent(shortName(owner.type()), name -> new HashSet<>())
          .add(owner.type());
    }
  }

  String name(Owner owner) {
    String shortName = shortName(owner.type());
    boolean isAlone = typesByShortName.getOrDefault(shortName, Set.of()).size() < 2;
    String type = isAlone ? shortName : owner.type().getName().replace('$', '.');
    String member = owner.method().map(method -> label(owner.type(), method)).orElse("*");
    return printable(type + "." + member);
  }

  private static String label(Class<?> resource, Method method) {
    String label = Place.label(method);
    long same =
        Arrays.stream(resource.getMethods())
            .filter(other -> !other.isBridge() && Place.label(other).equals(label))
            .map(other -> Arrays.asList(other.getParameterTypes()))
            .distinct()
            .count();
    if (same < 2) {
      return label;
    }
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getTypeName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }

  private static String shortName(Class<?> type) {
    return type.getName()
        .substring(type.getPackageName().length())
        .replace('$', '.')
        .replaceFirst("^\\.", "");
  }

  /** Header fields take ASCII alone; Java names may be in any script. */
  private static String printable(String name) {
    StringBuilder printable = new StringBuilder(name.length());
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (c > ' ' && c < 0x7f && c != '"' && c != '\\') {
        printable.append(c);
      } else {
        printable.append(String.format("_x%04x", (int) c));
      }
    }
    return printable.toString();
  }
}
