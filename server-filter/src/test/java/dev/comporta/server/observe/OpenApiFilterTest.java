package dev.comporta.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.cdi.Registry;
import dev.comporta.server.http.Dialect;
import dev.comporta.server.observe.LimitedOperations.Operation;
import io.smallrye.openapi.api.SmallRyeOpenAPI;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.PathItem.HttpMethod;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;
import org.junit.jupiter.api.Test;

class OpenApiFilterTest {

  private static final Set<Dialect> BOTH = Set.of(Dialect.LEGACY, Dialect.IETF);

  private static final String DOCUMENT =
      """
      {"openapi": "3.1.0", "info": {"title": "Books", "version": "1"},
       "paths": {
         "/api/books/{id}": {
           "get": {"responses": {"200": {"description": "A book"}, "404": {"description": "None"}}},
           "delete": {"responses": {"204": {"description": "Gone"}}},
           "put": {"responses": {"200": {"description": "Kept"}, "429": {"description": "Mine"}}}},
         "/api/orders": {"post": {}}}}
      """;

  @Test
  void limitedOperationDocuments429WithItsHeadersAndBodies() {
    OpenAPI document =
        filtered(DOCUMENT, "api", BOTH, new Operation("GET", "books/{isbn: .+}", List.of("9/1m")));

    APIResponse refusal =
        responses(document, "/api/books/{id}", HttpMethod.GET).getAPIResponse("429");
    assertThat(refusal.getDescription()).contains("Limits: 9/1m.");
    assertThat(refusal.getHeaders())
        .containsOnlyKeys(
            "Retry-After",
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "RateLimit-Policy",
            "RateLimit");
    assertThat(refusal.getContent().getMediaTypes())
        .containsOnlyKeys("application/json", "application/problem+json");
    assertThat(document.getComponents().getSchemas())
        .hasEntrySatisfying(
            "RateLimitRefusal",
            schema ->
                assertThat(schema.getProperties())
                    .containsOnlyKeys("error", "message", "retryAfter", "policy"));
    assertThat(document.getComponents().getHeaders())
        .containsOnlyKeys(refusal.getHeaders().keySet());
  }

  @Test
  void successTellsQuotasAndOtherAnswersStay() {
    OpenAPI document =
        filtered(
            DOCUMENT,
            "/api",
            Set.of(Dialect.IETF),
            new Operation("GET", "/books/{isbn}", List.of()));

    APIResponses responses = responses(document, "/api/books/{id}", HttpMethod.GET);
    assertThat(responses.getAPIResponse("200").getHeaders())
        .containsOnlyKeys("RateLimit-Policy", "RateLimit");
    assertThat(responses.getAPIResponse("404").getHeaders()).isNull();
    assertThat(responses.getAPIResponse("429").getDescription()).doesNotContain("Limits:");
  }

  @Test
  void whatIsNotLimitedStays() {
    OpenAPI document =
        filtered(DOCUMENT, "/api", BOTH, new Operation("GET", "/books/{isbn}", List.of()));

    assertThat(responses(document, "/api/books/{id}", HttpMethod.DELETE).getAPIResponses())
        .containsOnlyKeys("204");
  }

  @Test
  void operationThatDocuments429StaysAsItIs() {
    OpenAPI document =
        filtered(DOCUMENT, "/api", BOTH, new Operation("PUT", "/books/{isbn}", List.of()));

    APIResponses responses = responses(document, "/api/books/{id}", HttpMethod.PUT);
    assertThat(responses.getAPIResponse("429").getDescription()).isEqualTo("Mine");
    assertThat(responses.getAPIResponse("200").getHeaders()).isNull();
  }

  @Test
  void operationWithoutAnyAnswerGetsOne() {
    OpenAPI document = filtered(DOCUMENT, "/api", BOTH, new Operation("post", "orders", List.of()));

    assertThat(responses(document, "/api/orders", HttpMethod.POST).getAPIResponses())
        .containsOnlyKeys("429");
  }

  @Test
  void pathOfTheApplicationMayBeMissingInTheDocument() {
    OpenAPI document =
        filtered(
            DOCUMENT.replace("/api/", "/"),
            "/api",
            BOTH,
            new Operation("GET", "/books/{isbn}", List.of()));

    assertThat(responses(document, "/books/{id}", HttpMethod.GET).getAPIResponses())
        .containsKey("429");
  }

  @Test
  void headerOfTheApplicationOfThatNameStays() {
    String own =
        DOCUMENT.replace(
            "\"paths\"",
            "\"components\": {\"headers\": {\"RateLimit\": {\"description\": \"Mine\"}}}, \"paths\"");

    OpenAPI document =
        filtered(own, "/api", BOTH, new Operation("GET", "/books/{isbn}", List.of()));

    assertThat(document.getComponents().getHeaders())
        .hasEntrySatisfying(
            "RateLimit", header -> assertThat(header.getDescription()).isEqualTo("Mine"));
  }

  @Test
  void documentStaysWhenNoApplicationRuns() {
    OpenAPI document = document(DOCUMENT);

    assertThat(document.getComponents()).isNull();
    assertThat(responses(document, "/api/books/{id}", HttpMethod.GET).getAPIResponses())
        .containsOnlyKeys("200", "404");
  }

  @Test
  void documentWithoutPathsStays() {
    OpenAPI document =
        filtered(
            "{\"openapi\": \"3.1.0\", \"info\": {\"title\": \"Books\", \"version\": \"1\"}}",
            "/api",
            BOTH,
            new Operation("GET", "/books", List.of()));

    assertThat(document.getComponents()).isNull();
  }

  private static OpenAPI filtered(
      String json, String application, Set<Dialect> dialects, Operation operation) {
    LimitedOperations limited = new LimitedOperations(application, dialects, List.of(operation));
    try (Registry.Registration published = limited.publish()) {
      assertThat(published).isNotNull();
      return document(json);
    }
  }

  private static OpenAPI document(String json) {
    return SmallRyeOpenAPI.builder()
        .withCustomStaticFile(() -> new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)))
        .enableStandardStaticFiles(false)
        .enableAnnotationScan(false)
        .enableModelReader(false)
        .enableStandardFilter(false)
        .addFilter(new OpenApiFilter())
        .build()
        .model();
  }

  private static APIResponses responses(OpenAPI document, String path, HttpMethod method) {
    var operations = document.getPaths().getPathItem(path).getOperations();
    return Objects.requireNonNull(operations.get(method)).getResponses();
  }
}
