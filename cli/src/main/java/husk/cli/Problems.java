package husk.cli;

import husk.local.JsonPeek;
import husk.local.JsonText;
import husk.model.Hazard;
import husk.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Shows problems, the daemon's and our own, in the same two ways.
final class Problems {
  private static final String RED = "\u001b[1;31m";
  private static final String CYAN = "\u001b[1;36m";
  private static final String PLAIN = "\u001b[0m";

  private Problems() {}

  static void show(Problem problem, boolean json, Terminal terminal) {
    terminal.printError(json ? json(problem) : text(problem, terminal.colourErrors()));
  }

  /// As the daemon writes it.
  static String json(Problem problem) {
    var text = new StringBuilder("{\n  \"detail\": ").append(JsonText.quoted(problem.text()));
    text.append(",\n  \"error\": {\n    \"code\": ");
    text.append(JsonText.quoted(problem.code().wireName()));
    text.append(",\n    \"message\": ").append(JsonText.quoted(problem.text()));
    text.append(",\n    \"remedies\": [");
    String separator = "\n      ";
    for (String remedy : problem.remedies()) {
      text.append(separator).append(JsonText.quoted(remedy));
      separator = ",\n      ";
    }
    text.append(problem.remedies().isEmpty() ? "]" : "\n    ]");
    if (!problem.hazards().isEmpty()) {
      text.append(",\n    \"details\": {\"hazards\": [").append(hazards(problem)).append("]}");
    }
    return text.append("\n  }\n}\n").toString();
  }

  private static String hazards(Problem problem) {
    var text = new StringBuilder();
    for (var hazard : problem.hazards()) {
      var one = new JsonText().text("kind", hazard.kind()).text("name", hazard.name());
      text.append(text.isEmpty() ? "" : ", ").append(one.text("fate", hazard.fate()));
    }
    return text.toString();
  }

  /// For people.
  static String text(Problem problem, boolean colour) {
    var text = new StringBuilder();
    heading(text, "error:", RED, colour);
    text.append(' ')
        .append(Printable.lines(problem.text()).replace("\n", "\n       "))
        .append('\n');
    String separator = "\n";
    for (String remedy : problem.remedies()) {
      text.append(separator);
      heading(text, "hint:", CYAN, colour);
      text.append(' ').append(Printable.lines(remedy)).append('\n');
      separator = "";
    }
    return text.toString();
  }

  /// The daemon's text for people, with colours.
  static String coloured(String text) {
    return ("\n" + text)
        .replace("\nerror:", "\n" + RED + "error:" + PLAIN)
        .replace("\nhint:", "\n" + CYAN + "hint:" + PLAIN)
        .substring(1);
  }

  /// The problem the daemon wrote as JSON.
  static Problem read(String json) {
    var remedies = new ArrayList<String>();
    for (int i = 0; ; i++) {
      var remedy = JsonPeek.at(json, "error", "remedies", String.valueOf(i));
      if (remedy.isEmpty()) {
        break;
      }
      remedies.add(remedy.get());
    }
    return new Problem(
            Problem.Code.of(JsonPeek.at(json, "error", "code").orElse("internal")),
            JsonPeek.at(json, "error", "message").orElse("the daemon reported a problem: " + json),
            remedies)
        .dueTo(readHazards(json));
  }

  private static List<Hazard> readHazards(String json) {
    var hazards = new ArrayList<Hazard>();
    for (int i = 0; ; i++) {
      var kind = hazard(json, i, "kind");
      if (kind.isEmpty()) {
        return hazards;
      }
      hazards.add(
          new Hazard(
              kind.get(), hazard(json, i, "name").orElse(""), hazard(json, i, "fate").orElse("")));
    }
  }

  private static Optional<String> hazard(String json, int index, String what) {
    return JsonPeek.at(json, "error", "details", "hazards", String.valueOf(index), what);
  }

  private static void heading(StringBuilder text, String word, String code, boolean colour) {
    if (colour) {
      text.append(code).append(word).append(PLAIN);
    } else {
      text.append(word);
    }
  }
}
