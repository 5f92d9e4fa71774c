package husk.cli;

import husk.local.JsonParts;
import husk.local.JsonPeek;
import java.util.ArrayList;
import java.util.List;

/// Lists the sandboxes.
final class SandboxListCommand implements Command {
  @Override
  public String name() {
    return "sandbox list";
  }

  @Override
  public String summary() {
    return "List the sandboxes";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.flag("project", "Only those of a git project: this one, or the one named after it"),
      Option.of("label", "KEY=VALUE", "Only those with this label; repeatable").as("l").repeated(),
      Option.flag("names", "Print the names alone")
    };
  }

  @Override
  public String[] operands() {
    return new String[] {"[PROJECT]"};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    if (arguments.operand(0).isPresent() && !arguments.has("project")) {
      throw arguments.usage(
          "`" + arguments.requireOperand(0) + "` is more than it takes: `--project` is missing");
    }
    var daemon = new Daemon(terminal);
    var reply = daemon.call("GET", target(arguments), Daemon.JSON);
    boolean whole = !arguments.has("project") && !arguments.has("names");
    if (reply.answer().failed() || (whole && arguments.has("json"))) {
      return daemon.show(reply, arguments.has("json"));
    }
    if (whole) {
      return daemon.get(target(arguments), false);
    }
    String project = arguments.has("project") ? project(arguments, terminal) : "";
    terminal.print(
        arguments.has("names")
            ? names(reply.text(), project)
            : arguments.has("json")
                ? json(reply.text(), project)
                : table(daemon.call("GET", target(arguments), Daemon.TEXT).text(), project));
    return ExitCodes.SUCCESS;
  }

  private static String target(Arguments arguments) {
    var labels = SandboxOptions.withLabels(new ArrayList<>(), arguments);
    return labels.isEmpty() ? "/sandboxes" : "/sandboxes?" + String.join("&", labels);
  }

  private static String project(Arguments arguments, Terminal terminal) {
    var named = arguments.operand(0);
    return named.isPresent() ? GitBranch.clean(named.get()) : GitBranch.project(terminal);
  }

  private static boolean of(String project, String name) {
    return project.isEmpty() || name.equals(project) || name.startsWith(project + "-");
  }

  private static List<String> found(String text, String project) {
    var found = new ArrayList<String>();
    String all = JsonParts.fields(text).getOrDefault("sandboxes", "[]");
    for (String item : JsonParts.items(all)) {
      if (of(project, JsonPeek.at(item, "name").orElse(""))) {
        found.add(item);
      }
    }
    return found;
  }

  private static String names(String text, String project) {
    var names = new StringBuilder();
    for (String item : found(text, project)) {
      names.append(JsonPeek.at(item, "name").orElse("")).append('\n');
    }
    return names.toString();
  }

  private static String json(String text, String project) {
    return "{\"sandboxes\":[" + String.join(",", found(text, project)) + "]}\n";
  }

  /// The heading, and the lines whose first word is a name of the project.
  private static String table(String text, String project) {
    String[] lines = text.split("\n", -1);
    var table = new StringBuilder(lines[0]).append('\n');
    for (int i = 1; i < lines.length; i++) {
      if (!lines[i].isEmpty() && of(project, lines[i].split(" ", 2)[0])) {
        table.append(lines[i]).append('\n');
      }
    }
    return table.toString();
  }
}
