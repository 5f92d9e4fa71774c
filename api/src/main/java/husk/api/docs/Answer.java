package husk.api.docs;

import husk.api.form.Schema;
import java.util.LinkedHashMap;
import java.util.Map;

/// One way an operation may be answered.
///
/// @param status as HTTP has it
/// @param description when, or with what
/// @param content what the body is, by its media type; nothing where there is none
record Answer(int status, String description, Map<String, Map<String, Object>> content) {
  static Answer json(int status, String description, Map<String, Object> schema) {
    return new Answer(status, description, Map.of("application/json", schema));
  }

  static Answer empty(int status, String description) {
    return new Answer(status, description, Map.of());
  }

  static Answer text(int status, String description, String mediaType) {
    return new Answer(status, description, Map.of(mediaType, Schema.string()));
  }

  Answer alsoAs(String mediaType) {
    var more = new LinkedHashMap<>(content);
    more.put(mediaType, Schema.string());
    return new Answer(status, description, more);
  }

  Map<String, Object> json() {
    var json = Schema.ordered("description", description);
    if (!content.isEmpty()) {
      var media = new LinkedHashMap<String, Object>();
      content.forEach((type, schema) -> media.put(type, Map.of("schema", schema)));
      json.put("content", media);
    }
    return json;
  }
}
