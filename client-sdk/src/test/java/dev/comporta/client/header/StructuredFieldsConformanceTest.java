package dev.comporta.client.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where the library for structured fields departs from RFC 9651, and that reading through {@link
 * StructuredFields} does not. Examples of each rule of sections 3 and 4.2.
 */
class StructuredFieldsConformanceTest {

  /** An RFC 8941 parser does not know what the second edition added. */
  private static final List<String> FAILS_IN_THE_LIBRARY =
      List.of("\"a\";d=@1796040000", "\"a\";d=@-1", "\"a\";s=%\"f%c3%bc\"");

  private static final List<String> VALID =
      List.of(
          "",
          "a",
          "*a:/!#$%&'*+-.^_`|~9",
          "\"\"",
          "\"a\\\"b\\\\c\"",
          "42, -42, 0, -0, 00042",
          "999999999999999, -999999999999999",
          "1.5, -1.5, 123456789012.123, 0.10",
          "?0, ?1",
          ":YQ==:, :YQ:, ::, :sdfjLJUOUH==:",
          "(a b), (), ( \"a\"  1 );x=1",
          "a \t,\t  b",
          "a; b; c=1;b=2",
          "a;*key=1;k_1-.*=?0");

  private static final List<String> MALFORMED =
      List.of(
          "a,",
          ",a",
          "a,,b",
          "a b",
          "\"a",
          "\"a\\n\"",
          "\"\u00e9\"",
          "a\u0000",
          "1000000000000000",
          "1.",
          ".5",
          "1.1234",
          "1234567890123.1",
          "--1",
          "+1",
          "1e3",
          "?2",
          "?true",
          ":***:",
          ":YQ==",
          "(a",
          "a;B=1",
          "a;b =1",
          "a;b= 1",
          "a ;b",
          "a;\tb",
          "a;=1",
          "\u0663");

  static Stream<String> valid() {
    return Stream.concat(VALID.stream(), FAILS_IN_THE_LIBRARY.stream());
  }

  static Stream<String> malformed() {
    return MALFORMED.stream();
  }

  @Test
  void theLibraryFailsOnNothingElse() {
    assertThat(valid().filter(field -> !isReadByTheLibrary(field)))
        .containsExactlyElementsOf(FAILS_IN_THE_LIBRARY);
    assertThat(malformed().filter(StructuredFieldsConformanceTest::isReadByTheLibrary)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("valid")
  void validFieldHasItsMembers(String field) {
    assertThat(StructuredFields.list(field).isEmpty()).isEqualTo(field.isEmpty());
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void malformedFieldHasNoMembers(String field) {
    assertThat(StructuredFields.list(field)).isEmpty();
  }

  @Test
  void lastOfEqualParametersAndKeysCounts() {
    assertThat(StructuredFields.count(StructuredFields.list("a;r=1;r=2").get(0), "r")).hasValue(2);
    assertThat(StructuredFields.integer(StructuredFields.dictionary("k=1, k=2"), "k")).hasValue(2);
  }

  private static boolean isReadByTheLibrary(String field) {
    try {
      new Parser(field).parseList();
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }
}
