package husk.api.docs;

import husk.api.form.Field;
import husk.api.form.Form;
import husk.api.form.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// One operation of the API: a method at a path, what it takes and how it may be answered.
///
/// @param route method and template, spelled as they are registered
/// @param id its name in programs made from the document
/// @param tag the group it belongs to
/// @param open whether it is answered without an API key
record Operation(
    String route,
    String id,
    String tag,
    String summary,
    String description,
    boolean open,
    List<Field> query,
    Optional<Body> body,
    List<Answer> answers) {

  /// What an operation takes.
  ///
  /// @param type its media type
  record Body(
      boolean required, String type, Map<String, Object> schema, Map<String, Object> example) {
    Body(boolean required, Map<String, Object> schema, Map<String, Object> example) {
      this(required, JSON, schema, example);
    }

    boolean isJson() {
      return type.equals(JSON);
    }

    Map<String, Object> json() {
      var content = Schema.ordered("schema", schema);
      if (!example.isEmpty()) {
        content.put("example", example);
      }
      return Schema.ordered("required", required, "content", Map.of(type, content));
    }
  }

  private static final String JSON = "application/json";

  static Operation of(String route, String id, String tag, String summary) {
    return new Operation(
        route, id, tag, summary, "", false, List.of(), Optional.empty(), List.of());
  }

  Operation about(String text) {
    return new Operation(route, id, tag, summary, text, open, query, body, answers);
  }

  Operation withoutKey() {
    return new Operation(route, id, tag, summary, description, true, query, body, answers);
  }

  Operation query(Field... fields) {
    return new Operation(
        route, id, tag, summary, description, open, List.of(fields), body, answers);
  }

  Operation takes(Form<?> form, Object... example) {
    return with(new Body(true, Schema.ref(form.name()), Schema.ordered(example)));
  }

  Operation mayTake(Form<?> form, Object... example) {
    return with(new Body(false, Schema.ref(form.name()), Schema.ordered(example)));
  }

  /// Bytes, however many.
  Operation takesBytes(String type) {
    return with(new Body(true, type, Schema.string(), Map.of()));
  }

  Operation with(Body taken) {
    return new Operation(
        route, id, tag, summary, description, open, query, Optional.of(taken), answers);
  }

  Operation answers(Answer... more) {
    var all = new ArrayList<>(answers);
    all.addAll(List.of(more));
    return new Operation(route, id, tag, summary, description, open, query, body, all);
  }

  /// A refusal that says why.
  Operation refuses(int status, String when) {
    return answers(Answer.json(status, when, Schema.ref("Problem")));
  }

  String path() {
    return route.substring(route.indexOf(' ') + 1);
  }

  String method() {
    return route.substring(0, route.indexOf(' ')).toLowerCase(java.util.Locale.ROOT);
  }

  Map<String, Object> json() {
    var json = Schema.ordered("tags", List.of(tag), "summary", summary, "operationId", id);
    if (!description.isEmpty()) {
      json.put("description", description);
    }
    var parameters = Parameter.of(path(), query);
    if (!parameters.isEmpty()) {
      json.put("parameters", parameters);
    }
    body.ifPresent(taken -> json.put("requestBody", taken.json()));
    json.put("responses", responses());
    if (open) {
      json.put("security", List.of());
    }
    return json;
  }

  /// Its own answers, and those that any operation may get.
  private Map<String, Object> responses() {
    var responses = new TreeMap<String, Object>();
    responses.putAll(CommonAnswers.of(this));
    answers.forEach(answer -> responses.put(String.valueOf(answer.status()), answer.json()));
    return new LinkedHashMap<>(responses);
  }
}
