package husk.api.docs;

import husk.api.Answers;
import husk.api.DaemonControl;
import husk.api.Endpoint;
import husk.api.Routes;
import husk.api.form.Schema;
import io.helidon.http.HeaderNames;
import io.helidon.http.NotFoundException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import java.util.Map;

/// `/`, `/openapi.json`, `/docs` and `/redoc`: what can be asked, for programs and for people.
public final class DocsEndpoint implements Endpoint {
  private final DaemonControl daemon;
  private final Assets assets = new Assets();

  public DocsEndpoint(DaemonControl daemon) {
    this.daemon = daemon;
  }

  /// Every route that is described: its method and its template.
  public static List<String> described() {
    return OpenApi.operations().stream().map(Operation::route).toList();
  }

  @Override
  public void register(Routes routes) {
    routes
        .get("/", DocsEndpoint::root)
        .get(
            "/openapi.json",
            (request, response) ->
                Answers.json(
                    request, response, OpenApi.document(routes.registered(), daemon.version())))
        .get("/docs", (request, response) -> Page.named("swagger.html").send(request, response))
        .get("/redoc", (request, response) -> Page.named("redoc.html").send(request, response))
        .get("/docs/{file}", this::asset)
        .get("/redoc/{file}", this::asset);
  }

  private static void root(ServerRequest request, ServerResponse response) {
    response.header(HeaderNames.VARY, "Accept");
    if (Answers.accept(request).contains("text/html")) {
      Page.named("index.html").send(request, response);
    } else {
      Answers.json(request, response, Schema.ordered("service", "husk", "links", links()));
    }
  }

  private static Map<String, Object> links() {
    return Schema.ordered(
        "swagger", link("/docs", "Interactive Swagger UI."),
        "redoc", link("/redoc", "Readable API reference."),
        "openapi", link("/openapi.json", "OpenAPI schema."));
  }

  private static Map<String, Object> link(String href, String description) {
    return Schema.ordered("href", href, "description", description);
  }

  private void asset(ServerRequest request, ServerResponse response) {
    assets
        .find(request.path().absolute().rawPath())
        .orElseThrow(() -> new NotFoundException("Not Found"))
        .send(request, response);
  }
}
