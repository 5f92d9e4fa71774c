package husk.agent;

import husk.spi.CommandEnd;
import husk.spi.CommandInfo;
import husk.spi.CommandSpec;
import java.time.Instant;
import java.util.Optional;

/// How commands are written for the agent, and read from it.
final class CommandForms {
  private CommandForms() {}

  static Fields request(CommandSpec command) {
    var fields = Fields.operation("run");
    command.argv().forEach(word -> fields.add("arg", word));
    command.env().forEach((name, value) -> fields.add("env", name + "=" + value));
    command.cwd().ifPresent(cwd -> fields.add("cwd", cwd));
    command.id().ifPresent(id -> fields.add("id", id));
    command.window().ifPresent(window -> window(fields, window));
    if (command.timeoutMs() > 0) {
      fields.add("timeout_ms", command.timeoutMs());
    }
    return fields
        .flag("stdin", command.input())
        .flag("detach", command.detached())
        .flag("final", command.last());
  }

  static Fields window(Fields fields, CommandSpec.Window window) {
    return fields.add("rows", window.rows()).add("cols", window.columns());
  }

  static CommandEnd end(Fields fields) {
    return new CommandEnd(
        fields.small("code"),
        fields.small("signal"),
        CommandEnd.Reason.of(fields.text("reason")),
        fields.number("wall_ms"),
        fields.number("user_ms"),
        fields.number("system_ms"),
        fields.number("max_rss_kb"),
        fields.number("dropped_stdout") + fields.number("dropped_stderr"));
  }

  static CommandInfo info(Fields fields) {
    boolean ended = fields.text("state").equals("ended");
    return new CommandInfo(
        AgentProblems.printable(fields.text("id")),
        fields.number("pid"),
        fields.all("arg"),
        fields.number("detached") == 1,
        Instant.ofEpochMilli(fields.number("started_ms")),
        ended ? Optional.of(Instant.ofEpochMilli(fields.number("ended_ms"))) : Optional.empty(),
        ended ? Optional.of(end(fields)) : Optional.empty());
  }
}
