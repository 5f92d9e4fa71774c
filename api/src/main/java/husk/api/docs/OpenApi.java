package husk.api.docs;

import husk.api.form.Schema;
import husk.api.rest.Forms;
import husk.api.rest.LiveForms;
import husk.api.sandboxes.SandboxForms;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The OpenAPI 3.1 document: every operation that is served, with the forms that read its body.
final class OpenApi {
  private static final String ABOUT =
      "Named, persistent Jupyter kernels for AI agents. State lives in the kernel: send the next"
          + " line of code, and variables, imports and data are still there. KernelBox's REST API"
          + " and Jupyter's are spoken as they are.\n\n"
          + "JSON answers are laid out for reading with `?pretty=1`. Errors have a `detail`, as"
          + " FastAPI's do, and an `error` with a stable `code` and what to do next.";

  private OpenApi() {}

  /// All operations there are descriptions of.
  static List<Operation> operations() {
    return Stream.of(
            ServiceOperations.all(),
            KernelOperations.all(),
            ExecutionOperations.all(),
            LiveOperations.all(),
            SandboxOperations.all(),
            CommandOperations.all(),
            FileOperations.all(),
            JupyterOperations.all())
        .flatMap(List::stream)
        .toList();
  }

  /// The document for a server with these routes, each a method and a template.
  static Map<String, Object> document(Collection<String> routes, String version) {
    var paths = new LinkedHashMap<String, Map<String, Object>>();
    operations().stream()
        .filter(operation -> routes.contains(operation.route()))
        .forEach(
            operation ->
                paths
                    .computeIfAbsent(operation.path(), _ -> new LinkedHashMap<>())
                    .put(operation.method(), operation.json()));
    return Schema.ordered(
        "openapi",
        "3.1.0",
        "info",
        info(version),
        "servers",
        List.of(Map.of("url", "/")),
        "tags",
        tags(),
        "security",
        List.of(Map.of("bearer", List.of()), Map.of("token", List.of()), Map.of()),
        "paths",
        paths,
        "components",
        components());
  }

  private static Map<String, Object> info(String version) {
    return Schema.ordered(
        "title",
        "Husk API",
        "summary",
        "Persistent kernels for AI agents.",
        "description",
        ABOUT,
        "version",
        version,
        "license",
        Schema.ordered("name", "Apache-2.0", "identifier", "Apache-2.0"));
  }

  private static List<Map<String, Object>> tags() {
    return List.of(
        tag("Service", "The service and its description."),
        tag("Kernels", "The life of kernels."),
        tag("Sessions", "Kernels by name, made when they are first asked for."),
        tag("Execution", "Running code, retrying it, and fetching what came of it."),
        tag("Live state", "Copies of running kernels, and ways back."),
        tag("Sandboxes", "Places with files, processes, a network and limits of their own."),
        tag("Commands", "Running programs in a sandbox."),
        tag("Files", "The files of a sandbox, and connections to its ports."),
        tag(
            "Jupyter",
            "The API of Jupyter Server, for its clients. Messages pass through the WebSocket at"
                + " `/api/kernels/{id}/channels`."));
  }

  private static Map<String, Object> tag(String name, String description) {
    return Schema.ordered("name", name, "description", description);
  }

  private static Map<String, Object> components() {
    var schemas = Schemas.all();
    schemas.putAll(JupyterSchemas.all());
    schemas.putAll(LiveSchemas.all());
    schemas.putAll(SandboxSchemas.all());
    SandboxForms.all().forEach(form -> schemas.put(form.name(), form.schema()));
    LiveForms.all().forEach(form -> schemas.put(form.name(), form.schema()));
    Forms.all().forEach(form -> schemas.put(form.name(), form.schema()));
    return Schema.ordered(
        "schemas",
        schemas,
        "responses",
        CommonAnswers.components(),
        "securitySchemes",
        Schema.ordered(
            "bearer",
            Schema.ordered("type", "http", "scheme", "bearer"),
            "token",
            Schema.ordered("type", "apiKey", "in", "query", "name", "token")));
  }
}
