package husk.api.docs;

import husk.api.form.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Refusals that many operations share, said once in the document's components.
final class CommonAnswers {
  private static final String FORBIDDEN =
      "What is asked for, or asked to be used, was not opened to callers over TCP"
          + " (`not_open_over_tcp`): the message says by which option. Or the call comes from a web"
          + " page that may not call a server without keys.";

  private CommonAnswers() {}

  /// Those that this operation may get besides its own.
  static Map<String, Object> of(Operation operation) {
    var answers = new LinkedHashMap<String, Object>();
    if (!operation.open()) {
      answers.put("401", ref("Unauthenticated"));
      answers.put("403", ref(isOfJupyter(operation) ? "JupyterForbidden" : "Forbidden"));
    }
    boolean jupyter = isOfJupyter(operation);
    if (operation.body().filter(Operation.Body::isJson).isPresent() && !jupyter) {
      answers.put("400", ref("Unreadable"));
      answers.put("408", ref("TooSlow"));
      answers.put("413", ref("TooLarge"));
    }
    if ((operation.body().isPresent() || !operation.query().isEmpty()) && !jupyter) {
      answers.put("422", ref("Invalid"));
    }
    answers.put("500", ref("Failed"));
    answers.put("503", ref("Unavailable"));
    return answers;
  }

  private static boolean isOfJupyter(Operation operation) {
    return operation.path().startsWith("/api");
  }

  private static Map<String, Object> ref(String name) {
    return Map.of("$ref", "#/components/responses/" + name);
  }

  static Map<String, Object> components() {
    var all = new LinkedHashMap<String, Object>();
    all.put("Unreadable", detail("The body cannot be parsed: too deep, or not even text."));
    all.put("Unauthenticated", problem("The server wants an API key."));
    all.put("Forbidden", problem(FORBIDDEN));
    all.put("JupyterForbidden", forbidden());
    all.put("TooSlow", problem("The body did not arrive within a minute."));
    all.put("TooLarge", problem("The body is larger than 8 MiB, or has too many values."));
    all.put("Invalid", invalid());
    all.put("Failed", problem("Husk failed; its log says more."));
    all.put(
        "Unavailable",
        problem("Something it needs is missing, or it is overloaded: see `Retry-After`."));
    return all;
  }

  private static Map<String, Object> problem(String when) {
    return Answer.json(0, when, Schema.ref("Problem")).json();
  }

  /// What turns a request away does not know which dialect it is in.
  private static Map<String, Object> forbidden() {
    var either = Schema.anyOf(List.of(Schema.ref("JupyterError"), Schema.ref("Problem")));
    return Answer.json(0, FORBIDDEN, either).json();
  }

  private static Map<String, Object> detail(String when) {
    return Answer.json(0, when, Schema.ref("Detail")).json();
  }

  /// A body that its form refuses, or a value that Husk does.
  private static Map<String, Object> invalid() {
    var either = Schema.anyOf(List.of(Schema.ref("HTTPValidationError"), Schema.ref("Problem")));
    return Answer.json(0, "Validation Error", either).json();
  }
}
