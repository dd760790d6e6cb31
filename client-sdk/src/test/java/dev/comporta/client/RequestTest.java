package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.EntityPart;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.GenericEntity;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.io.StringReader;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.transform.stream.StreamSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestTest {

  static Stream<Entity<?>> consumedBySending() {
    InputStream stream = new ByteArrayInputStream(new byte[3]);
    StreamingOutput output = out -> stream.transferTo(out);
    return Stream.of(
        Entity.entity(stream, MediaType.APPLICATION_OCTET_STREAM_TYPE),
        Entity.text(new StringReader("abc")),
        Entity.text(output),
        Entity.json(Stream.of(1, 2)),
        Entity.json(List.of(1, 2).iterator()),
        Entity.xml(new StreamSource(stream)),
        Entity.entity(new GenericEntity<>(stream) {}, MediaType.TEXT_PLAIN_TYPE),
        Entity.entity(List.of(part(stream)), MediaType.MULTIPART_FORM_DATA_TYPE),
        Entity.entity(
            new GenericEntity<>(List.of(part(stream))) {}, MediaType.MULTIPART_FORM_DATA_TYPE),
        Entity.entity(Map.of("file", stream), "multipart/form-data; boundary=b"));
  }

  static Stream<Entity<?>> leftAsTheyAre() {
    return Stream.of(
        Entity.text("abc"),
        Entity.entity(new byte[3], MediaType.APPLICATION_OCTET_STREAM_TYPE),
        Entity.form(new Form("a", "b")),
        Entity.json(Map.of("a", "b")),
        Entity.json(List.of("a", "b")),
        Entity.text(new File("a")),
        Entity.json(null),
        Entity.entity("--b--", "multipart/form-data; boundary=b"));
  }

  @ParameterizedTest
  @MethodSource("consumedBySending")
  void anEntityThatSendingConsumesIsNotRepeatable(Entity<?> entity) {
    assertThat(request(Optional.of(entity)).isRepeatable()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("leftAsTheyAre")
  void anEntityThatSendingLeavesAsItIsIsRepeatable(Entity<?> entity) {
    assertThat(request(Optional.of(entity)).isRepeatable()).isTrue();
  }

  @Test
  void noEntityIsRepeatable() {
    assertThat(request(Optional.empty()).isRepeatable()).isTrue();
  }

  private static Request request(Optional<Entity<?>> entity) {
    return new Request("POST", "http://a:80", entity);
  }

  private static EntityPart part(InputStream stream) {
    return (EntityPart)
        Proxy.newProxyInstance(
            EntityPart.class.getClassLoader(),
            new Class<?>[] {EntityPart.class},
            (proxy, method, args) -> method.getName().equals("getContent") ? stream : null);
  }
}
