package husk.core;

import husk.model.Problem;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// What may stand in those tables of a project's file that restrict a sandbox. A misspelled
/// restriction is refused, because to ignore it would be to lift it.
final class ProjectKeys {
  /// `security` has tables of its own.
  private static final List<String> STRICT =
      List.of("resources", "security", "security.commands", "security.domains");

  private ProjectKeys() {}

  static void check(JsonNode tree) {
    STRICT.forEach(name -> checkTable(name, table(tree, name), ProjectKey.within(name)));
    checkRules("security.domains", table(tree, "security.domains"));
    checkRules("security.commands", table(tree, "security.commands"));
    for (var key : Set.of("mount_home", "pass_env", "read_only")) {
      if (tree.path("security").path(key).asBoolean(false)) {
        throw invalid(
            "`security."
                + key
                + "` cannot be had by itself; a profile has it: choose one of those");
      }
    }
  }

  private static JsonNode table(JsonNode tree, String name) {
    var at = tree;
    for (var part : name.split("\\.", -1)) {
      at = at.path(part);
    }
    return at;
  }

  private static void checkTable(String name, JsonNode table, Set<String> keys) {
    if (!table.isMissingNode() && !table.isObject()) {
      throw invalid("`" + name + "` must be a table");
    }
    for (var entry : table.properties()) {
      if (!keys.contains(entry.getKey())) {
        throw invalid(
            "`%s.%s` is unknown; there are %s"
                .formatted(name, entry.getKey(), String.join(", ", new TreeSet<>(keys))));
      }
    }
  }

  private static void checkRules(String name, JsonNode table) {
    for (var key : Set.of("allow", "block")) {
      var list = table.path(key);
      if (!list.isMissingNode()
          && !(list.isArray() && list.valueStream().allMatch(JsonNode::isString))) {
        throw invalid("`" + name + "." + key + "` must be a list of texts");
      }
    }
    var only = table.path("allowlist_only");
    if (!only.isMissingNode() && !only.isBoolean()) {
      throw invalid("`" + name + ".allowlist_only` must be true or false");
    }
  }

  private static Problem invalid(String why) {
    return new Problem(
        Problem.Code.INVALID_SETTING,
        "the project's file cannot be honoured: " + why,
        "correct it, or name another with `--config`; nothing was started");
  }
}
