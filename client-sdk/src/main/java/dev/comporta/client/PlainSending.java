package dev.comporta.client;

import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Variant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Sends a request once more through another client, as its filters and interceptors left it. */
@SuppressWarnings("ArrayRecordComponent") // Bytes of an entity; nobody compares sendings.
record PlainSending(Client client, ClientRequestContext request, Optional<byte[]> entity) {

  private static final String MARK = "dev.comporta.client.plain";

  /** Each sending has its own. */
  private static final Set<String> OF_THE_CONNECTION =
      Set.of("content-length", "transfer-encoding");

  /** Whether a request is sent by this, so that a provider which its client has as well passes. */
  static boolean isOne(ClientRequestContext request) {
    return request.getProperty(MARK) != null;
  }

  Response send() {
    MultivaluedMap<String, Object> headers = new MultivaluedHashMap<>();
    request
        .getStringHeaders()
        .forEach(
            (name, values) -> {
              if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> headers.add(name, value));
              }
            });
    Invocation.Builder builder =
        client.target(request.getUri()).request().headers(headers).property(MARK, true);
    Invocation invocation =
        entity.isPresent()
            ? builder.build(request.getMethod(), Entity.entity(entity.get(), variant()))
            : builder.build(request.getMethod());
    return invocation.invoke();
  }

  /** An entity takes the place of these fields. */
  private Variant variant() {
    String type = request.getHeaderString(HttpHeaders.CONTENT_TYPE);
    return new Variant(
        type == null ? MediaType.APPLICATION_OCTET_STREAM_TYPE : MediaType.valueOf(type),
        request.getHeaderString(HttpHeaders.CONTENT_LANGUAGE),
        request.getHeaderString(HttpHeaders.CONTENT_ENCODING));
  }
}
