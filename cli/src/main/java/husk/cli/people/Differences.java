package husk.cli.people;

import java.util.List;

/// What changed: a line for each variable and file, with `+`, `~` or `-` before it.
public final class Differences {
  private Differences() {}

  public static String of(String json) {
    var answer = new Fields(json);
    String lines = lines(answer);
    return "Against "
        + answer.text("against")
        + (lines.isEmpty() ? ": no changes\n" : ":\n" + lines);
  }

  static String lines(Fields answer) {
    var text = new StringBuilder();
    var variables = answer.object("variables");
    variables(text, '+', variables.objects("added"), "after");
    variables(text, '~', variables.objects("changed"), "after");
    variables(text, '-', variables.objects("removed"), "before");
    var files = answer.object("files");
    files(text, '+', files.strings("added"));
    files(text, '~', files.strings("changed"));
    files(text, '-', files.strings("deleted"));
    return text.append(answer.is("partial") ? "  and more than was looked at\n" : "").toString();
  }

  private static void variables(StringBuilder text, char sign, List<Fields> found, String side) {
    for (var variable : found) {
      text.append("  ").append(sign).append(' ').append(variable.text("name"));
      var state = variable.object(side);
      text.append(state.has("type") ? ": " + state.text("type") : "");
      text.append(state.has("shape") ? " " + state.text("shape") : "").append('\n');
    }
  }

  private static void files(StringBuilder text, char sign, List<String> found) {
    for (String file : found) {
      text.append("  ").append(sign).append(" file ").append(file).append('\n');
    }
  }
}
