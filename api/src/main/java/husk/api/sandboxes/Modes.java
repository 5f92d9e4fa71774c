package husk.api.sandboxes;

import husk.model.Problem;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A file's rights in octal figures.
final class Modes {
  private static final int USUAL = 0644;

  private Modes() {}

  static int parse(Optional<JsonNode> given) {
    return given.map(node -> parse(node.stringValue())).orElse(USUAL);
  }

  private static int parse(String figures) {
    if (!figures.matches("0?[0-7]{1,4}")) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + figures + "` are no rights of a file",
          "write them in octal figures, such as 644 or 755");
    }
    return Integer.parseInt(figures, 8);
  }

  static String text(int mode) {
    return "%04o".formatted(mode);
  }
}
