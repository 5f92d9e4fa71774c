package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import husk.api.docs.DocsEndpoint;
import husk.api.listen.Listeners;
import husk.api.server.Dialects;
import husk.core.Service;
import husk.testkit.LeakDetector;
import io.helidon.webserver.http.HttpRouting;
import java.util.HashSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// The document agrees with the server it describes, and with itself.
@ExtendWith(LeakDetector.class)
class OpenApiTest {
  private final ApiServer server = new ApiServer();
  private final ServedDocument served = new ServedDocument(server.get("/openapi.json").json());

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void everyRouteOverTcpIsDescribedAndEveryDescriptionHasARoute() {
    try (var listeners = new Listeners(server);
        var dialects = new Dialects(server.core, server, listeners)) {
      assertThat(DocsEndpoint.described())
          .containsExactlyInAnyOrderElementsOf(
              dialects.overTcp(HttpRouting.builder(), Service.ofOwner(server.core)).registered());
    }
  }

  @Test
  void everyOperationHasANameATagASummaryAndAnswers() {
    var ids = new HashSet<String>();
    for (var it : served.operations()) {
      assertThat(ids.add(it.id())).as(it.id()).isTrue();
      assertThat(it.operation().path("summary").stringValue()).isNotBlank();
      assertThat(served.json().path("tags").findValuesAsString("name"))
          .contains(it.operation().at("/tags/0").stringValue());
      assertThat(served.statuses(it)).anyMatch(status -> status.startsWith("2"));
    }
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    var references = served.json().findValuesAsString("$ref");
    assertThat(references).isNotEmpty();
    for (var reference : references) {
      assertThat(served.json().at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
    }
  }

  @Test
  void everySchemaIsOneOfJsonSchema() {
    var meta =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(
                com.networknt.schema.SchemaLocation.of(
                    "https://json-schema.org/draft/2020-12/schema"));
    for (var schema : served.json().at("/components/schemas").properties()) {
      assertThat(meta.validate(schema.getValue())).as(schema.getKey()).isEmpty();
    }
  }

  @Test
  void examplesFitTheirSchemas() {
    for (var it : served.operations()) {
      var content = it.operation().at("/requestBody/content").path("application/json");
      if (content.has("example")) {
        assertThat(served.validate(content.path("schema"), content.path("example")))
            .as(it.id())
            .isEmpty();
      }
    }
    for (var schema : served.json().at("/components/schemas")) {
      schema.path("properties").forEach(this::assertExamplesFit);
    }
  }

  private void assertExamplesFit(JsonNode property) {
    StreamSupport.stream(property.path("examples").spliterator(), false)
        .forEach(
            example ->
                assertThat(served.validate(property, example)).as(example.toString()).isEmpty());
  }

  @Test
  void whatIsRequiredAndWhatItMayBeIsSaidOfEveryBody() {
    var execute = served.json().at("/components/schemas/ExecuteRequest");
    assertThat(execute.path("required").toString()).isEqualTo("[\"code\"]");
    assertThat(execute.at("/properties/timeout/anyOf/0/minimum").doubleValue()).isEqualTo(0.1);
    assertThat(execute.at("/properties/language/enum").toString())
        .isEqualTo("[\"python\",\"bash\"]");
  }
}
