package husk.cli;

import java.util.List;

/// Reads a file of requirements as pip does: comments dropped, continued lines joined.
final class Requirements {
  private Requirements() {}

  static void read(String file, Terminal terminal, List<String> requirements) {
    var pending = new StringBuilder();
    for (String line : Texts.file(file, terminal).split("\\R", -1)) {
      String text = withoutComment(line);
      if (text.endsWith("\\")) {
        pending.append(text, 0, text.length() - 1).append(' ');
        continue;
      }
      String whole = pending.append(text).toString().strip();
      pending.setLength(0);
      if (!whole.isEmpty()) {
        requirements.add(whole);
      }
    }
  }

  private static String withoutComment(String line) {
    if (line.stripLeading().startsWith("#")) {
      return "";
    }
    int comment = line.indexOf(" #");
    return (comment < 0 ? line : line.substring(0, comment)).stripTrailing();
  }
}
