package husk.cli;

import husk.cli.signal.Signals;
import husk.model.Problem;
import husk.spi.CommandEnd;
import husk.spi.CommandSpec;
import java.io.IOException;
import java.util.List;

/// Opens a shell, or another program, in a sandbox with a real terminal.
final class AttachCommand implements Command {
  @Override
  public String name() {
    return "attach";
  }

  @Override
  public String summary() {
    return "Open a shell in a sandbox";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("env", "KEY[=VALUE]", "A variable, or one to pass on; repeatable")
          .as("e")
          .repeated(),
      Option.of("workdir", "FOLDER", "Where it starts; default: /workspace").as("w"),
      Option.of("record", "PATH", "Record it as asciicast v2, in a file or a folder")
          .completing(Option.FILES)
    };
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX", "[COMMAND...]"};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int tail() {
    return 1;
  }

  @Override
  public int exitCode(Problem problem) {
    return Endings.exitCode(problem);
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) throws IOException {
    var env = CommandOptions.withTerm(Creation.variables(arguments, terminal), terminal);
    var window = RawTerminal.window(terminal);
    try (var signals = Signals.caught()) {
      var sandbox = new Sandboxes(terminal).use(arguments.requireOperand(0));
      var argv = arguments.operandsFrom(1);
      var spec = CommandSpec.of(argv.isEmpty() ? shell(sandbox) : argv).withEnv(env).on(window);
      if (arguments.has("workdir")) {
        spec = spec.in(arguments.require("workdir"));
      }
      var call = new CommandCall(terminal, sandbox, signals);
      return arguments.has("record")
          ? record(arguments.require("record"), call, spec, sandbox, terminal)
          : call.show(spec);
    }
  }

  private static List<String> shell(SandboxHandle sandbox) throws IOException {
    try {
      sandbox.agent().files().stat("/bin/bash");
      return List.of("/bin/bash");
    } catch (Problem _) {
      return List.of("/bin/sh");
    }
  }

  private static int record(
      String path, CommandCall call, CommandSpec spec, SandboxHandle sandbox, Terminal terminal)
      throws IOException {
    var file = Recording.place(path, sandbox.name(), terminal);
    terminal.printError("Recording session to: " + file + "\n");
    CommandEnd end;
    try (var recording = Recording.open(file, spec, call::pass)) {
      end = call.run(spec, recording);
    }
    terminal.printError(Endings.explained(end, sandbox, 0));
    terminal.printError("Session saved to: " + file + "\nReplay with: husk replay " + file + "\n");
    return Endings.exitCode(end);
  }
}
