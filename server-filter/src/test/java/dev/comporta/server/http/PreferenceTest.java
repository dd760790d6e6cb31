package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreferenceTest {

  @Test
  void readsNameParametersAndWeight() {
    assertThat(Preference.listOf("Text/Plain; Charset=\"UTF-8\" ; q=0.25; ext=1, es-MX;q=1"))
        .containsExactly(
            new Preference("text/plain", List.of("charset=utf-8"), 250),
            new Preference("es-mx", List.of(), 1000));
  }

  @Test
  void readsFiftyElementsAndNoMore() {
    assertThat(Preference.listOf("a,".repeat(49) + "b,c")).hasSize(50).endsWith(named("b"));
    assertThat(Preference.listOf(", ,".repeat(60) + "a")).containsExactly(named("a"));
  }

  @Test
  void readsSixteenParametersAndNoMore() {
    assertThat(Preference.listOf("a" + ";b".repeat(15) + ";q=0.5"))
        .extracting(Preference::thousandths)
        .containsExactly(500);
    assertThat(Preference.listOf("a" + ";b".repeat(16) + ";q=0.5"))
        .extracting(Preference::thousandths)
        .containsExactly(1000);
  }

  @Test
  void readsUpToTheLimitOfCharactersAndDropsTheElementThatItCuts() {
    String fits = "a;" + "x".repeat(Preference.MAX_CHARS - 4) + ",b";

    assertThat(Preference.listOf(fits)).endsWith(named("b"));
    assertThat(Preference.listOf(fits + "c")).extracting(Preference::name).containsExactly("a");
    assertThat(Preference.listOf("a".repeat(Preference.MAX_CHARS + 1))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", ",", ";", "\"", "\\", "\"\\", "a;q=0.", "a,", "a;b=\"c\",", "*/*,"})
  void looksAtABoundedPartOfAnEndlessValue(String piece) {
    CountedText endless = new CountedText(piece.repeat(1_000_000 / piece.length()));

    List<Preference> preferences = Preference.listOf(endless);

    assertThat(preferences).hasSizeLessThanOrEqualTo(Preference.MAX_ELEMENTS);
    assertThat(endless.charsSeen).isEqualTo(Preference.MAX_CHARS);
  }

  private static Preference named(String name) {
    return new Preference(name, List.of(), 1000);
  }

  /** Counts how much of it is looked at. */
  private static final class CountedText implements CharSequence {

    private final String text;
    private long charsSeen;

    CountedText(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      charsSeen++;
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      charsSeen += end - start;
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      charsSeen += text.length();
      return text;
    }
  }
}
