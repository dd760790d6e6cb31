package dev.comporta.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonObjectTest {

  @Test
  void escapesWhatJsonCannotCarry() {
    String json = new JsonObject().with("a\"b", "\\ \n \u0000 é 😀").with("n", 7).toString();

    assertThat(json).isEqualTo("{\"a\\\"b\":\"\\\\ \\u000a \\u0000 é \\ud83d\\ude00\",\"n\":7}");
  }

  @Test
  void listsStrings() {
    JsonObject json = new JsonObject().with("a", List.of("b", "\"")).with("c", List.of());

    assertThat(json).hasToString("{\"a\":[\"b\",\"\\\"\"],\"c\":[]}");
  }

  @Test
  void isEmptyWithoutMembers() {
    assertThat(new JsonObject()).hasToString("{}");
  }
}
