package dev.comporta.server.http;

import java.util.List;

/**
 * A flat JSON object of strings, whole numbers and arrays of strings. So little is needed that no
 * JSON library is: the filter must run where there is none, and where there are two.
 *
 * <p>Source: RFC 8259, section 7.
 */
final class JsonObject {

  private final StringBuilder members = new StringBuilder();

  JsonObject with(String name, String value) {
    name(name);
    quote(value);
    return this;
  }

  JsonObject with(String name, long value) {
    name(name);
    members.append(value);
    return this;
  }

  JsonObject with(String name, List<String> values) {
    name(name);
    members.append('[');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        members.append(',');
      }
      quote(values.get(i));
    }
    members.append(']');
    return this;
  }

  @Override
  public String toString() {
    return "{" + members + "}";
  }

  private void name(String name) {
    if (!members.isEmpty()) {
      members.append(',');
    }
    quote(name);
    members.append(':');
  }

  private void quote(String text) {
    members.append('"');
    text.chars().forEach(this::escape);
    members.append('"');
  }

  private void escape(int unit) {
    if (unit == '"' || unit == '\\') {
      members.append('\\').append((char) unit);
    } else if (unit < 0x20 || Character.isSurrogate((char) unit)) {
      members.append(String.format("\\u%04x", unit));
    } else {
      members.append((char) unit);
    }
  }
}
