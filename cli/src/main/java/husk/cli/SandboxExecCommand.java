package husk.cli;

import husk.cli.signal.Signals;
import husk.local.JsonText;
import husk.model.Problem;
import husk.spi.CommandSpec;
import java.io.IOException;
import java.util.ArrayList;

/// The other meaning of `exec`: a command in a sandbox, for whoever begins with the sandbox's name.
final class SandboxExecCommand implements Command {
  @Override
  public String name() {
    return "exec";
  }

  @Override
  public String summary() {
    return "Run a command in a sandbox";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("env", "KEY[=VALUE]", "A variable, or one to pass on; repeatable")
          .as("e")
          .repeated(),
      Option.of("workdir", "FOLDER", "Where it starts; default: /workspace").as("w"),
      Option.flag("detach", "Let it go on by itself; see exec-list, exec-logs, exec-kill").as("d"),
      CommandOptions.TIMEOUT,
      CommandOptions.TTY,
      CommandOptions.INTERACTIVE,
      CommandOptions.NO_INPUT
    };
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX", "COMMAND..."};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  /// The sandbox's name is followed by options of ours, the command by its own.
  @Override
  public int tail() {
    return 1;
  }

  @Override
  public int exitCode(Problem problem) {
    return Endings.exitCode(problem);
  }

  @Override
  public boolean json(Arguments arguments) {
    return arguments.has("json") || arguments.has("detach");
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var env = Creation.variables(arguments, terminal);
    var spec = CommandOptions.spec(arguments.operandsFrom(1), env, arguments, terminal);
    if (arguments.has("workdir")) {
      spec = spec.in(arguments.require("workdir"));
    }
    if (arguments.has("detach")) {
      return detach(spec, arguments, terminal);
    }
    try (var signals = Signals.caught()) {
      var sandbox = sandbox(arguments, terminal);
      var call = new CommandCall(terminal, sandbox, signals);
      return arguments.has("json") ? call.report(spec) : call.show(spec);
    }
  }

  /// Whoever meant a kernel is told how to say so.
  private static SandboxHandle sandbox(Arguments arguments, Terminal terminal) {
    String name = arguments.requireOperand(0);
    try {
      return new Sandboxes(terminal).use(name);
    } catch (Problem problem) {
      if (problem.code() != Problem.Code.SANDBOX_NOT_FOUND) {
        throw problem;
      }
      var remedies = new ArrayList<>(problem.remedies());
      remedies.add("for code in a kernel: `husk exec --name " + name + " CODE`");
      throw new Problem(problem.code(), problem.text(), remedies).causedBy(problem);
    }
  }

  private static int detach(CommandSpec spec, Arguments arguments, Terminal terminal) {
    if (arguments.has("tty")) {
      throw arguments.usage("`--detach` and `--tty` contradict each other");
    }
    var alone =
        CommandSpec.of(spec.argv()).withEnv(spec.env()).within(spec.timeoutMs()).detachedOnce();
    var sandbox = sandbox(arguments, terminal);
    var agent = sandbox.agent();
    try (var command = agent.run(spec.cwd().isPresent() ? alone.in(spec.cwd().get()) : alone)) {
      for (var info : agent.commands()) {
        if (info.id().equals(command.id())) {
          terminal.print(CommandViews.object(sandbox.name(), info) + "\n");
          return ExitCodes.SUCCESS;
        }
      }
      terminal.print(new JsonText().text("id", command.id()).text("status", "running") + "\n");
      return ExitCodes.SUCCESS;
    } catch (IOException e) {
      throw Sandboxes.lost(sandbox.name(), e);
    }
  }
}
