package husk.api.docs;

import static husk.api.form.Schema.ref;

import husk.api.form.Schema;
import java.util.List;

/// The service itself: that it is there, what it can, and how it is doing.
final class ServiceOperations {
  private static final String SERVICE = "Service";

  private ServiceOperations() {}

  static List<Operation> all() {
    return List.of(
        Operation.of("GET /", "discover", SERVICE, "API discovery")
            .answers(
                Answer.json(200, "Where the API is described.", ref("RootResponse"))
                    .alsoAs("text/html")),
        Operation.of("GET /health", "health", SERVICE, "Health check")
            .withoutKey()
            .answers(Answer.json(200, "It is there.", ref("HealthResponse"))),
        Operation.of("GET /kernelspecs", "list_kernelspecs", SERVICE, "List kernelspecs")
            .about("What `kernel` may name, besides `husk`, Husk's own Python kernel.")
            .answers(Answer.json(200, "By name.", ref("KernelSpecsResponse"))),
        Operation.of("GET /metrics", "metrics", SERVICE, "Metrics for Prometheus")
            .answers(Answer.text(200, "Prometheus' text format.", "text/plain")),
        Operation.of("GET /openapi.json", "openapi", SERVICE, "This document")
            .answers(Answer.json(200, "OpenAPI 3.1.", Schema.mapOf(Schema.any()))),
        page("GET /docs", "swagger_ui", "Try the API out in Swagger UI"),
        page("GET /redoc", "redoc", "Read the API in ReDoc"),
        asset("GET /docs/{file}", "swagger_ui_file"),
        asset("GET /redoc/{file}", "redoc_file"));
  }

  private static Operation page(String route, String id, String summary) {
    return Operation.of(route, id, SERVICE, summary)
        .answers(Answer.text(200, "A page.", "text/html"));
  }

  private static Operation asset(String route, String id) {
    return Operation.of(route, id, SERVICE, "A file of that page")
        .answers(
            Answer.text(200, "The file.", "text/javascript").alsoAs("text/css").alsoAs("image/png"),
            Answer.empty(304, "The caller has it already."),
            Answer.json(404, "There is no such file.", ref("Detail")));
  }
}
