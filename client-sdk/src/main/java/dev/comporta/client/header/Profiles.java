package dev.comporta.client.header;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Vendors that are known, from a text that says how each tells its limits. A vendor is known by the
 * host that answered, or else by a field that no other sends. Immutable.
 */
final class Profiles {

  /** The vendors of the library. */
  static final Profiles KNOWN = parse(resource());

  /** Longer than any name of a host (RFC 1035, section 2.3.4). */
  private static final int LONGEST_HOST = 255;

  private final List<Profile> all;

  /** By the whole name, or by its end with a dot before it for all below it. */
  private final Map<String, Profile> byHost = new HashMap<>();

  /** Signs by hash, probed one after the other; a response is looked up field by field. */
  private final FieldName[] signs;

  private final Profile[] bySign;
  private final List<Profile> byPrefix = new ArrayList<>();

  private Profiles(List<Profile> all) {
    this.all = List.copyOf(all);
    int count = all.stream().mapToInt(profile -> profile.signs().fields().size()).sum();
    this.signs = new FieldName[Integer.highestOneBit(count + 1) * 4];
    this.bySign = new Profile[signs.length];
    for (Profile profile : all) {
      profile.signs().fields().forEach(sign -> add(sign, profile));
      profile.signs().hosts().forEach(pattern -> byHost.put(pattern.replace("*", ""), profile));
      if (!profile.signs().prefixes().isEmpty()) {
        byPrefix.add(profile);
      }
    }
  }

  /**
   * Reads profiles.
   *
   * @throws IllegalArgumentException if a line cannot be read
   */
  static Profiles parse(String text) {
    return new Profiles(new ProfileParser(text).parse());
  }

  List<Profile> all() {
    return all;
  }

  /** The profile of that name. */
  Optional<Profile> named(String name) {
    return all.stream().filter(profile -> profile.name().equals(name)).findFirst();
  }

  /** The vendor that answered. */
  Optional<Profile> of(Optional<String> host, HeaderLines header) {
    if (host.isPresent()) {
      Profile profile = byHost(host.get().toLowerCase(Locale.ROOT));
      if (profile != null) {
        return Optional.of(profile);
      }
    }
    for (int i = 0; i < header.size(); i++) {
      Profile profile = bySign(header.name(i), header.hash(i));
      if (profile != null && header.has(FieldName.of(header.name(i)))) {
        return Optional.of(profile);
      }
    }
    return Optional.empty();
  }

  private @Nullable Profile byHost(String host) {
    if (host.length() > LONGEST_HOST) {
      return null;
    }
    Profile profile = byHost.get(host);
    for (int dot = host.indexOf('.');
        profile == null && dot >= 0;
        dot = host.indexOf('.', dot + 1)) {
      profile = byHost.get(host.substring(dot));
    }
    return profile;
  }

  private @Nullable Profile bySign(String name, int hash) {
    for (int at = hash & (signs.length - 1); signs[at] != null; at = next(at)) {
      if (signs[at].is(name, hash)) {
        return bySign[at];
      }
    }
    for (int i = 0; i < byPrefix.size(); i++) {
      for (String prefix : byPrefix.get(i).signs().prefixes()) {
        if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
          return byPrefix.get(i);
        }
      }
    }
    return null;
  }

  private void add(FieldName sign, Profile profile) {
    int at = sign.hash() & (signs.length - 1);
    while (signs[at] != null) {
      if (signs[at].is(sign.name(), sign.hash())) {
        throw new IllegalArgumentException(
            "a sign must be of one profile, was of two: " + sign.name());
      }
      at = next(at);
    }
    signs[at] = sign;
    bySign[at] = profile;
  }

  private int next(int at) {
    return (at + 1) & (signs.length - 1);
  }

  private static String resource() {
    try (InputStream in = Profiles.class.getResourceAsStream("dialects.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
