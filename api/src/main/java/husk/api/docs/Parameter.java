package husk.api.docs;

import husk.api.form.Field;
import husk.api.form.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The parameters of an operation: those in its path, whose meaning their names tell, and those in
/// its query.
final class Parameter {
  private static final Pattern IN_PATH = Pattern.compile("\\{(\\w+)}");

  private Parameter() {}

  static List<Map<String, Object>> of(String path, List<Field> query) {
    var parameters = new ArrayList<Map<String, Object>>();
    IN_PATH.matcher(path).results().forEach(found -> parameters.add(inPath(found.group(1), path)));
    query.forEach(field -> parameters.add(inQuery(field)));
    return parameters;
  }

  private static Map<String, Object> inPath(String name, String path) {
    return Schema.ordered(
        "name",
        name,
        "in",
        "path",
        "required",
        true,
        "description",
        meaning(name, path),
        "schema",
        Schema.string());
  }

  private static String meaning(String name, String path) {
    return switch (name) {
      case "id" -> idOf(path);
      case "name" -> nameIn(path);
      case "port" -> "A port inside.";
      case "checkpoint" -> "The checkpoint's label or id.";
      default -> "One of the files there are.";
    };
  }

  private static String nameIn(String path) {
    if (path.startsWith("/sandboxes")) {
      return "The sandbox's name.";
    }
    return path.contains("kernelspecs") ? "The kernelspec's name." : "The session's name.";
  }

  private static String idOf(String path) {
    if (path.startsWith("/sandboxes")) {
      return "The id that its beginning was answered with.";
    }
    if (path.startsWith("/executions")) {
      return "The execution's id.";
    }
    if (path.startsWith("/api/sessions")) {
      return "The session's id.";
    }
    return path.startsWith("/api") ? "The kernel's id." : "The kernel's id, name or session name.";
  }

  private static Map<String, Object> inQuery(Field field) {
    return Schema.ordered(
        "name",
        field.name(),
        "in",
        "query",
        "required",
        field.required(),
        "description",
        field.description(),
        "schema",
        field.schema());
  }
}
