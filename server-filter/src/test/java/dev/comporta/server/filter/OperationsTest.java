package dev.comporta.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.contract.ContractApplication;
import dev.comporta.server.observe.OpenApiFilter;
import io.smallrye.openapi.api.SmallRyeOpenAPI;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

class OperationsTest {

  private static final String DOCUMENT =
      """
      {"openapi": "3.1.0", "info": {"title": "Contract", "version": "1"},
       "paths": {
         "/api/limits/everyone": {"get": {"responses": {"200": {"description": "ok"}}}},
         "/api/policies/watched": {"get": {"responses": {"200": {"description": "ok"}}}},
         "/api/answers/mapped/{code}": {"get": {"responses": {"200": {"description": "ok"}}}},
         "/api/exempt": {"get": {"responses": {"200": {"description": "ok"}}}}}}
      """;

  @Test
  void theDocumentTellsWhatARunningApplicationLimits() {
    JerseyServer server =
        new JerseyServer(ResourceConfig.forApplicationClass(ContractApplication.class));
    OpenAPI document = document();
    server.close();

    assertThat(answers(document, "/api/limits/everyone").getAPIResponse("429").getDescription())
        .contains("Limits: 2/1h.");
    assertThat(answers(document, "/api/policies/watched").getAPIResponse("429").getDescription())
        .contains("Limits: 5/1h.");
    assertThat(answers(document, "/api/answers/mapped/{code}").getAPIResponses())
        .containsKey("429");
    assertThat(answers(document, "/api/exempt").getAPIResponses()).containsOnlyKeys("200");
  }

  @Test
  void theDocumentTellsNothingOfAnApplicationThatHasEnded() {
    new JerseyServer(ResourceConfig.forApplicationClass(ContractApplication.class)).close();

    assertThat(answers(document(), "/api/limits/everyone").getAPIResponses())
        .containsOnlyKeys("200");
  }

  private static APIResponses answers(OpenAPI document, String path) {
    return document.getPaths().getPathItem(path).getGET().getResponses();
  }

  private static OpenAPI document() {
    return SmallRyeOpenAPI.builder()
        .withCustomStaticFile(
            () -> new ByteArrayInputStream(DOCUMENT.getBytes(StandardCharsets.UTF_8)))
        .enableStandardStaticFiles(false)
        .enableAnnotationScan(false)
        .enableModelReader(false)
        .enableStandardFilter(false)
        .addFilter(new OpenApiFilter())
        .build()
        .model();
  }
}
