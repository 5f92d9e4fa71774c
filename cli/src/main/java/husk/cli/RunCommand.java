package husk.cli;

import husk.cli.signal.Signals;
import husk.local.JsonText;
import husk.model.Problem;
import husk.spi.CommandSpec;
import java.util.Map;

/// Runs one command in a sandbox made for it.
final class RunCommand implements Command {
  /// How long a sandbox waits for the command it was made for.
  private static final int TEMPORARY_SECONDS = 30;

  @Override
  public String name() {
    return "run";
  }

  @Override
  public String summary() {
    return "Run a command in a sandbox of its own, which is gone afterwards";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return SandboxOptions.and(
        Option.flag("keep", "Keep the sandbox afterwards, for an hour unless --ttl says else")
            .as("k"),
        CommandOptions.TIMEOUT,
        CommandOptions.TTY,
        CommandOptions.INTERACTIVE,
        CommandOptions.NO_INPUT);
  }

  @Override
  public String[] operands() {
    return new String[] {"COMMAND..."};
  }

  @Override
  public int tail() {
    return 0;
  }

  @Override
  public int exitCode(Problem problem) {
    return Endings.exitCode(problem);
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    boolean kept = arguments.has("keep") || arguments.has("branch");
    var spec = CommandOptions.spec(arguments.operandsFrom(0), Map.of(), arguments, terminal);
    var body = SandboxOptions.write(arguments, terminal).text("program", spec.argv().getFirst());
    body.number("ttl_seconds", Durations.seconds(arguments, "ttl", kept ? "1h" : "0"));
    body.number("temporary_seconds", kept ? 0 : TEMPORARY_SECONDS).flag("started", true);
    var sandboxes = new Sandboxes(terminal);
    try (var signals = Signals.caught()) {
      var sandbox = sandbox(sandboxes, body, arguments, terminal);
      try {
        return call(
            new CommandCall(terminal, sandbox, signals), kept ? spec : spec.asLast(), arguments);
      } finally {
        end(sandboxes, sandbox.name(), kept, terminal);
      }
    }
  }

  private static int call(CommandCall call, CommandSpec spec, Arguments arguments) {
    return arguments.has("json") ? call.report(spec) : call.show(spec);
  }

  /// With `--branch` the one that is there already, if it is.
  private static SandboxHandle sandbox(
      Sandboxes sandboxes, JsonText body, Arguments arguments, Terminal terminal) {
    if (!arguments.has("branch")) {
      return sandboxes.create(body);
    }
    String name = GitBranch.sandbox(terminal);
    return sandboxes.exists(name)
        ? sandboxes.start(name)
        : sandboxes.create(body.text("name", name));
  }

  private static void end(Sandboxes sandboxes, String name, boolean kept, Terminal terminal) {
    if (kept) {
      terminal.printError(
          "\nSandbox '" + name + "' kept. Remove with: husk sandbox remove " + name + "\n");
    } else {
      sandboxes.discard(name);
    }
  }
}
