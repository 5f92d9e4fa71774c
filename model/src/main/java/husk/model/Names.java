package husk.model;

/// The rules for kernel names. A name is never part of a path, so that almost anything goes.
public final class Names {
  private static final int LONGEST = 200;

  private Names() {}

  /// Gives the name back, or refuses it.
  public static String require(String name) {
    if (name.isBlank()) {
      throw invalid(name, "it is empty");
    }
    if (name.length() > LONGEST) {
      throw invalid(name.substring(0, 40) + "…", "it is longer than " + LONGEST + " characters");
    }
    if (name.codePoints().anyMatch(Names::unprintable)) {
      throw invalid(escaped(name), "it holds a control character or half of a surrogate pair");
    }
    return name;
  }

  /// Gives the label of a checkpoint back, or refuses it: it is shown at terminals as names are.
  public static String requireLabel(String label) {
    if (label.isBlank()
        || label.length() > LONGEST
        || label.codePoints().anyMatch(Names::unprintable)) {
      var shown = escaped(label.substring(0, Math.min(label.length(), 40)));
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + shown + "` cannot be the label of a checkpoint",
          "use 1 to " + LONGEST + " printable characters");
    }
    return label;
  }

  private static boolean unprintable(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.SURROGATE
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  private static String escaped(String name) {
    var text = new StringBuilder();
    name.codePoints()
        .forEach(
            c -> {
              if (unprintable(c)) {
                text.append(String.format("\\u%04x", c));
              } else {
                text.appendCodePoint(c);
              }
            });
    return text.toString();
  }

  private static Problem invalid(String name, String why) {
    return new Problem(
        Problem.Code.INVALID_NAME,
        "`" + name + "` cannot be a kernel's name: " + why,
        "use up to " + LONGEST + " printable characters");
  }
}
