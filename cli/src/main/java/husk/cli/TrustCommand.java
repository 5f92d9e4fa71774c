package husk.cli;

import husk.local.JsonParts;
import husk.local.JsonText;
import husk.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Shows what a project's file would open beyond what its user set, and lets it, if the user says
/// so. What is trusted is the content that was shown, and no other.
final class TrustCommand implements Command {
  @Override
  public String name() {
    return "trust";
  }

  @Override
  public String summary() {
    return "Let a project's husk.toml or agentkernel.toml, as it is now, widen your settings";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.flag("yes", "Do not ask; for scripts that know the content").as("y"),
      Option.flag("list", "Show what is trusted")
    };
  }

  @Override
  public String[] operands() {
    return new String[] {"[PATH]"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var daemon = new Daemon(terminal);
    if (arguments.has("list")) {
      return daemon.get("/trust", json(arguments));
    }
    var looked = ask(daemon, "/trust/look", path(arguments, terminal));
    if (looked.answer().failed()) {
      return daemon.show(looked, json(arguments));
    }
    var fields = JsonParts.fields(looked.text());
    terminal.printError(Printable.lines(JsonParts.shown(fields.getOrDefault("text", ""))));
    var wanting = wanting(fields);
    if (!wanting.isEmpty() && !arguments.has("yes") && !agreed(terminal)) {
      return ExitCodes.REFUSED;
    }
    return trust(daemon, wanting, arguments);
  }

  private static Daemon.Reply ask(Daemon daemon, String target, JsonText body) {
    return daemon.call("POST", target, Daemon.JSON, daemon.withCaller(body));
  }

  /// The path that was named, from here.
  static JsonText path(Arguments arguments, Terminal terminal) {
    var body = new JsonText();
    if (arguments.operand(0).isPresent()) {
      body.text("path", Creation.absolute(arguments.requireOperand(0), terminal));
    }
    return body;
  }

  /// Those that open something, and may not yet.
  private static List<Map<String, String>> wanting(Map<String, String> fields) {
    var wanting = new ArrayList<Map<String, String>>();
    for (String item : JsonParts.items(fields.getOrDefault("files", "[]"))) {
      var file = JsonParts.fields(item);
      String standing = JsonParts.shown(file.getOrDefault("standing", ""));
      if (!standing.equals("narrow") && !standing.equals("trusted")) {
        wanting.add(file);
      }
    }
    return wanting;
  }

  private static boolean agreed(Terminal terminal) {
    if (!terminal.interactive()) {
      throw new Problem(
          Problem.Code.PROJECT_NOT_TRUSTED,
          "nobody is here to be asked, and nothing was trusted",
          "call it at a terminal, or with `--yes` once you have read the above");
    }
    return Question.agreed(terminal, "Let it? [y]es, anything else: no > ");
  }

  private int trust(Daemon daemon, List<Map<String, String>> wanting, Arguments arguments) {
    for (var file : wanting) {
      var body = new JsonText();
      body.text("path", JsonPaths.of(JsonParts.shown(file.getOrDefault("path", ""))).toString());
      body.text("sha256", JsonParts.shown(file.getOrDefault("sha256", "")));
      int code = daemon.post("/trust", body, json(arguments));
      if (code != ExitCodes.SUCCESS) {
        return code;
      }
    }
    return ExitCodes.SUCCESS;
  }
}
