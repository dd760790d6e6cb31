package dev.comporta.client.header;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.greenbytes.http.sfv.ByteSequenceItem;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.Parametrizable;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.greenbytes.http.sfv.TokenItem;
import org.jspecify.annotations.Nullable;

/**
 * Structured fields (RFC 9651) through a parser of their first edition (RFC 8941). What the second
 * edition added, dates ({@code @123}) and display strings ({@code %"a"}), stands only in parameters
 * unknown here, so it is rewritten as what the parser knows. A malformed field has no members.
 */
final class StructuredFields {

  /** A quoted string, kept; or the mark of a newer type after {@code =}, dropped. */
  private static final Pattern NEWER_TYPE =
      Pattern.compile("(\"(?:[^\"\\\\]|\\\\.)*+\")|=@(?=-?[0-9])|=%(?=\")");

  private StructuredFields() {}

  static List<? extends Parametrizable<?>> list(String field) {
    try {
      List<? extends Parametrizable<?>> members = new Parser(olderTypes(field)).parseList().get();
      return members.subList(0, Math.min(members.size(), HeaderLines.MOST_MEMBERS));
    } catch (IllegalArgumentException malformed) {
      return List.of();
    }
  }

  static Map<String, Parametrizable<?>> dictionary(String field) {
    try {
      return new LinkedHashMap<>(new Parser(olderTypes(field)).parseDictionary().get());
    } catch (IllegalArgumentException malformed) {
      return Map.of();
    }
  }

  /** The text of a String or Token that is a member of a list. */
  static Optional<String> name(Parametrizable<?> member) {
    return text(member);
  }

  /** The value of a parameter that is an Integer of 0 or more, under the first name it has. */
  static OptionalLong count(Parametrizable<?> member, String... names) {
    for (String name : names) {
      if (has(member, name)) {
        return notNegative(member.getParams().get(name));
      }
    }
    return OptionalLong.empty();
  }

  /** The value of a dictionary's key that is an Integer of 0 or more. */
  static OptionalLong integer(Map<String, Parametrizable<?>> members, String key) {
    return members.containsKey(key) ? notNegative(members.get(key)) : OptionalLong.empty();
  }

  /** The value of a member that is an Integer, of any sign. */
  static OptionalLong integer(Parametrizable<?> member) {
    return member instanceof IntegerItem number
        ? OptionalLong.of(number.getAsLong())
        : OptionalLong.empty();
  }

  static Optional<String> text(Parametrizable<?> member, String parameter) {
    Item<?> value = member.getParams().get(parameter);
    return value == null ? Optional.empty() : text(value);
  }

  /** The value of a parameter that is a Byte Sequence, as it is written. */
  static Optional<String> bytes(Parametrizable<?> member, String parameter) {
    return member.getParams().get(parameter) instanceof ByteSequenceItem bytes
        ? Optional.of(bytes.serialize())
        : Optional.empty();
  }

  static boolean has(Parametrizable<?> member, String parameter) {
    return member.getParams().containsKey(parameter);
  }

  private static Optional<String> text(Parametrizable<?> item) {
    if (item instanceof StringItem string) {
      return Optional.of(string.get());
    }
    return item instanceof TokenItem token ? Optional.of(token.get()) : Optional.empty();
  }

  private static OptionalLong notNegative(@Nullable Object value) {
    return value instanceof IntegerItem number && number.getAsLong() >= 0
        ? OptionalLong.of(number.getAsLong())
        : OptionalLong.empty();
  }

  private static String olderTypes(String field) {
    if (field.indexOf("=@") < 0 && field.indexOf("=%") < 0) {
      return field;
    }
    return NEWER_TYPE.matcher(field).replaceAll(match -> match.group(1) == null ? "=" : "$0");
  }
}
