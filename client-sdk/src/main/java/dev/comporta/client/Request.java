package dev.comporta.client;

import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.EntityPart;
import jakarta.ws.rs.core.GenericEntity;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;

/**
 * A request as far as its limits and its repetition are concerned.
 *
 * @param method the HTTP method, in capitals
 * @param origin scheme, host and port of the server
 * @param entity what it carries
 */
record Request(String method, String origin, Optional<Entity<?>> entity) {

  /** One of a method, with the entity among the arguments of a call, if there is one. */
  static Request of(String method, String origin, Object[] args) {
    Optional<Entity<?>> entity = Optional.empty();
    for (Object arg : args) {
      if (arg instanceof Entity<?> given) {
        entity = Optional.of(given);
      }
    }
    return new Request(method, origin, entity);
  }

  /**
   * Whether the entity can be sent again as it was: what is read from a stream is gone after. Parts
   * of a multipart entity may hold streams that cannot be seen from outside.
   */
  boolean isRepeatable() {
    return entity.isEmpty() || (isWhole(entity.get()) && isRepeatable(entity.get().getEntity()));
  }

  private static boolean isWhole(Entity<?> entity) {
    MediaType type = entity.getMediaType();
    Object content = entity.getEntity();
    return type == null
        || !type.getType().equalsIgnoreCase("multipart")
        || content instanceof String
        || content instanceof byte[];
  }

  private static boolean isRepeatable(Object content) {
    if (content instanceof GenericEntity<?> generic) {
      return isRepeatable(generic.getEntity());
    }
    if (content instanceof Collection<?> parts) {
      return parts.stream().allMatch(Request::isRepeatable);
    }
    return !(content instanceof AutoCloseable // InputStream, Reader, Channel, Stream
        || content instanceof Iterator
        || content instanceof StreamingOutput
        || content instanceof EntityPart
        || isXmlSource(content));
  }

  /** By name: nothing else of {@code javax} is used, and a source may read from a stream. */
  private static boolean isXmlSource(Object content) {
    return content != null && content.getClass().getName().startsWith("javax.xml.transform.");
  }
}
