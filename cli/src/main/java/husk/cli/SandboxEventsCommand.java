package husk.cli;

import husk.local.JsonParts;
import husk.local.JsonPeek;
import java.util.Map;

/// Shows what happened to a sandbox, refusals above all.
final class SandboxEventsCommand implements Command {
  private static final int WAIT = 20;

  @Override
  public String name() {
    return "sandbox events";
  }

  @Override
  public String summary() {
    return "Show what happened to a sandbox, such as refused connections";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {Option.flag("follow", "Go on with what happens from now on").as("f")};
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX"};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var daemon = new Daemon(terminal);
    String target = Sandboxes.target(arguments.requireOperand(0)) + "/events";
    boolean json = arguments.has("json");
    String after = "0";
    String wait = "";
    do {
      var reply = daemon.call("GET", target + "?after=" + after + wait, Daemon.JSON);
      if (reply.answer().failed()) {
        return daemon.show(reply, json);
      }
      show(reply.text(), json, terminal);
      after = JsonPeek.at(reply.text(), "next").orElse(after);
      wait = "&wait=" + WAIT;
    } while (arguments.has("follow"));
    return ExitCodes.SUCCESS;
  }

  private static void show(String page, boolean json, Terminal terminal) {
    String events = JsonParts.fields(page).getOrDefault("events", "[]");
    for (String event : JsonParts.items(events)) {
      terminal.print(json ? event + "\n" : line(event));
    }
  }

  /// `TIME TYPE details`. What comes from inside must not reach a terminal as control characters.
  private static String line(String event) {
    var fields = JsonParts.fields(event);
    var line = new StringBuilder(JsonParts.shown(fields.getOrDefault("at", "-")));
    line.append(' ').append(JsonParts.shown(fields.getOrDefault("type", "-")));
    details(line, fields);
    return Printable.line(line.toString()) + "\n";
  }

  private static void details(StringBuilder line, Map<String, String> fields) {
    for (var field : fields.entrySet()) {
      String name = field.getKey();
      if (name.equals("details")) {
        details(line, JsonParts.fields(field.getValue()));
      } else if (!name.equals("at") && !name.equals("type")) {
        line.append(' ').append(name).append('=').append(JsonParts.shown(field.getValue()));
      }
    }
  }
}
