package dev.comporta.server.observe;

import dev.comporta.server.http.Dialect;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * What an OpenAPI document says of a limited operation. Headers and schemas are written once, among
 * the components of the document, and referred to.
 */
final class RefusalDocumentation {

  private static final String STATUS = "429";
  private static final String RETRY_AFTER = "Retry-After";
  private static final String REFUSAL = "RateLimitRefusal";
  private static final String PROBLEM = "RateLimitProblem";

  private final Components components;
  private final Map<String, Header> quotaHeaders;

  RefusalDocumentation(OpenAPI document, Set<Dialect> dialects) {
    if (document.getComponents() == null) {
      document.setComponents(OASFactory.createComponents());
    }
    this.components = document.getComponents();
    this.quotaHeaders = quotaHeaders(dialects);
  }

  /** Adds what is missing, unless the operation documents 429 by itself. */
  void addTo(Operation operation, List<String> limits) {
    if (operation.getResponses() == null) {
      operation.setResponses(OASFactory.createAPIResponses());
    }
    APIResponses responses = operation.getResponses();
    if (responses.hasAPIResponse(STATUS)) {
      return;
    }
    addHeadersToSuccess(responses);
    responses.addAPIResponse(STATUS, refusal(limits));
  }

  private void addHeadersToSuccess(APIResponses responses) {
    Map<String, APIResponse> all = responses.getAPIResponses();
    if (all == null) {
      return;
    }
    all.forEach(
        (status, response) -> {
          if (status.startsWith("2") && response.getRef() == null) {
            addHeaders(response, quotaHeaders);
          }
        });
  }

  private APIResponse refusal(List<String> limits) {
    addSchemas();
    String told = limits.isEmpty() ? "" : " Limits: " + String.join(", ", limits) + ".";
    APIResponse refusal =
        OASFactory.createAPIResponse()
            .description("Too many requests: try again after the seconds in Retry-After." + told)
            .content(
                OASFactory.createContent()
                    .addMediaType(
                        "application/json", OASFactory.createMediaType().schema(ref(REFUSAL)))
                    .addMediaType(
                        "application/problem+json",
                        OASFactory.createMediaType().schema(ref(PROBLEM))));
    addHeaders(
        refusal,
        Map.of(
            RETRY_AFTER,
            header(
                "Seconds after which this request is admitted. Absent if it never can be.",
                number())));
    addHeaders(refusal, quotaHeaders);
    return refusal;
  }

  /* A component of that name that the application wrote stays as it is. */
  private void addHeaders(APIResponse response, Map<String, Header> headers) {
    headers.forEach(
        (name, header) -> {
          if (response.getHeaders() != null && response.getHeaders().containsKey(name)) {
            return;
          }
          if (components.getHeaders() == null || !components.getHeaders().containsKey(name)) {
            components.addHeader(name, header);
          }
          response.addHeader(name, OASFactory.createHeader().ref(name));
        });
  }

  private void addSchemas() {
    addSchema(
        REFUSAL,
        object()
            .description("Why a request was refused.")
            .addProperty("error", text().addExample("Too Many Requests"))
            .addProperty("message", text().description("The same for people."))
            .addProperty("retryAfter", number().description("As Retry-After."))
            .addProperty("policy", text().description("The name of the limit that refused."))
            .required(List.of("error", "message")));
    addSchema(
        PROBLEM,
        object()
            .description("Why a request was refused, after RFC 9457.")
            .addProperty("type", text().format("uri"))
            .addProperty("title", text())
            .addProperty("status", number())
            .addProperty("detail", text())
            .addProperty(
                "violated-policies",
                OASFactory.createSchema().addType(SchemaType.ARRAY).items(text()))
            .required(List.of("type", "title", "status")));
  }

  private void addSchema(String name, Schema schema) {
    if (components.getSchemas() == null || !components.getSchemas().containsKey(name)) {
      components.addSchema(name, schema);
    }
  }

  private static Map<String, Header> quotaHeaders(Set<Dialect> dialects) {
    Map<String, Header> headers = new LinkedHashMap<>();
    if (dialects.contains(Dialect.LEGACY)) {
      headers.put("X-RateLimit-Limit", header("The most permits that there can be.", number()));
      headers.put("X-RateLimit-Remaining", header("Permits that are left.", number()));
      headers.put(
          "X-RateLimit-Reset",
          header("The Unix second at which the quota is whole again.", number()));
    }
    if (dialects.contains(Dialect.IETF)) {
      headers.put(
          "RateLimit-Policy",
          header(
              "Every limit: q permits in w seconds.",
              text().addExample("\"search-1m\";q=100;w=60")));
      headers.put(
          "RateLimit",
          header(
              "Where the caller stands: r permits left, whole again in t seconds.",
              text().addExample("\"search-1m\";r=73;t=16")));
    }
    return headers;
  }

  private static Header header(String description, Schema schema) {
    return OASFactory.createHeader().description(description).schema(schema);
  }

  private static Schema ref(String name) {
    return OASFactory.createSchema().ref(name);
  }

  private static Schema object() {
    return OASFactory.createSchema().addType(SchemaType.OBJECT);
  }

  private static Schema text() {
    return OASFactory.createSchema().addType(SchemaType.STRING);
  }

  private static Schema number() {
    return OASFactory.createSchema().addType(SchemaType.INTEGER);
  }
}
