package husk.cli;

import husk.agent.Agent;
import husk.cli.signal.Signals;
import husk.spi.CommandEnd;
import husk.spi.CommandEvent;
import husk.spi.CommandSpec;
import husk.spi.RunningCommand;
import java.io.IOException;

/// One command run in a sandbox from here: its output goes where it belongs as it comes, standard
/// input and signals go to it.
final class CommandCall {
  private final Terminal terminal;
  private final SandboxHandle sandbox;
  private final Signals signals;

  CommandCall(Terminal terminal, SandboxHandle sandbox, Signals signals) {
    this.terminal = terminal;
    this.sandbox = sandbox;
    this.signals = signals;
  }

  /// Runs it and gives the exit code.
  int show(CommandSpec spec) {
    var end = run(spec, this::pass);
    terminal.printError(Endings.explained(end, sandbox, spec.timeoutMs()));
    return Endings.exitCode(end);
  }

  /// Runs it, reports it as JSON, and gives the exit code.
  int report(CommandSpec spec) {
    var kept = new KeptOutput();
    var end = run(spec, kept);
    terminal.print(kept.report(sandbox.name(), Endings.exitCode(end), end));
    return Endings.exitCode(end);
  }

  void pass(boolean error, byte[] bytes) {
    if (error) {
      terminal.passError(bytes);
    } else {
      terminal.print(bytes);
    }
  }

  CommandEnd run(CommandSpec spec, Output output) {
    var agent = sandbox.agent();
    try (var command = agent.run(spec)) {
      return spec.window().isPresent() && terminal.asksPerson()
          ? atTerminal(agent, command, output)
          : follow(agent, command, spec.input(), output);
    } catch (IOException e) {
      throw Sandboxes.lost(sandbox.name(), e);
    }
  }

  private CommandEnd atTerminal(Agent agent, RunningCommand command, Output output)
      throws IOException {
    try (var _ = RawTerminal.enter()) {
      signals.onResize(() -> resize(command, output));
      return follow(agent, command, true, output);
    }
  }

  private void resize(RunningCommand command, Output output) {
    try {
      var window = RawTerminal.window(terminal);
      command.resize(window);
      output.resized(window);
    } catch (IOException _) {
      // It has ended.
    }
  }

  private CommandEnd follow(Agent agent, RunningCommand command, boolean input, Output output)
      throws IOException {
    signals.passTo(number -> signal(agent, command.id(), number));
    if (input) {
      InputPump.start(terminal.in(), command);
    }
    return drain(command, output);
  }

  static CommandEnd drain(RunningCommand command, Output output) throws IOException {
    while (true) {
      switch (command.next()) {
        case CommandEvent.Output piece -> output.write(piece.error(), piece.bytes());
        case CommandEvent.Ended ended -> {
          return ended.end();
        }
      }
    }
  }

  /// By a line of its own: the command's may be full of input that it does not read.
  private static void signal(Agent agent, String id, int number) {
    try {
      agent.kill(id, number);
    } catch (IOException | RuntimeException _) {
      // It has ended.
    }
  }
}
