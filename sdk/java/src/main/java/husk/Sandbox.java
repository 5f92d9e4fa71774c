package husk;

import husk.model.Problem;
import husk.spi.CommandEnd;
import husk.spi.CommandEvent;
import husk.spi.CommandInfo;
import husk.spi.CommandSpec;
import husk.spi.Forward;
import husk.spi.RunningCommand;
import husk.spi.SandboxFiles;
import husk.spi.Usage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// One sandbox. Its commands and files are the same however it is reached.
///
/// **What happens to a command is a result, never an exception.** A [Problem] says that the call
/// itself could not be served: no such program, no such file, a sandbox that does not run.
///
/// Can be used by any number of threads.
public final class Sandbox implements AutoCloseable {
  private final SandboxDesk desk;
  private final String name;
  private final boolean temporary;

  Sandbox(SandboxDesk desk, String name, boolean temporary) {
    this.desk = desk;
    this.name = name;
    this.temporary = temporary;
  }

  public String name() {
    return name;
  }

  /// What is true of it now, with the specification in force.
  public SandboxRecord info() {
    return desk.info(name);
  }

  // Commands

  /// Runs a program with these arguments, which no shell sees, and waits for its end.
  public CommandResult exec(String... argv) {
    return exec(CommandSpec.of(argv));
  }

  /// Runs a command as it is described: with which variables, where, for how long.
  public CommandResult exec(CommandSpec command) {
    return Commands.toTheEnd(inside(), command, new byte[0]);
  }

  /// Runs a command with this text as its standard input.
  public CommandResult exec(CommandSpec command, String input) {
    return exec(command, input.getBytes(StandardCharsets.UTF_8));
  }

  /// Runs a command with these bytes as its standard input.
  public CommandResult exec(CommandSpec command, byte[] input) {
    return Commands.toTheEnd(inside(), command.withInput(), input);
  }

  /// Runs a command and tells `listener` of its output as it comes, on the calling thread. A slow
  /// listener holds the command back; one that throws ends it.
  ///
  /// {@snippet class="husk.examples.InASandbox" region="streaming"}
  public CommandEnd stream(CommandSpec command, Consumer<CommandEvent.Output> listener) {
    return Commands.stream(inside(), command, listener);
  }

  /// Begins a command, to be read from and written to by the caller. With [CommandSpec#withInput]
  /// it takes input, with [CommandSpec#on] it has a terminal. Closing the line ends the command and
  /// all it started, unless it is detached.
  ///
  /// {@snippet class="husk.examples.InASandbox" region="talking"}
  public RunningCommand begin(CommandSpec command) {
    return Commands.ask(() -> inside().run(command));
  }

  /// Begins a command that goes on by itself, and gives its id.
  public String detach(CommandSpec command) {
    try (var line = begin(command.detachedOnce())) {
      return line.id();
    }
  }

  /// A line to a command that runs or is remembered: what is kept of its output, then the rest.
  public RunningCommand attach(String commandId) {
    return Commands.ask(() -> inside().attach(commandId, Optional.empty(), false));
  }

  /// What is kept of a command's output; it may still run.
  public CommandResult logs(String commandId) {
    return Commands.collect(() -> inside().attach(commandId, Optional.empty(), true));
  }

  /// Those that run, and the last that have ended.
  public List<CommandInfo> commands() {
    return Commands.ask(() -> inside().commands());
  }

  /// Signals a command and all it started.
  public void kill(String commandId, int signal) {
    Commands.tell(() -> inside().kill(commandId, signal));
  }

  // Files, ports and use

  /// Its files, of any size, with its own eyes and rights. Paths are absolute.
  public SandboxFiles files() {
    return inside().files();
  }

  /// Copies a file or folder of this machine to a path inside, which must not exist as a folder.
  public void copyIn(Path source, String target) {
    Commands.tell(() -> new Copying(files()).in(source, target));
  }

  /// Copies a file or folder from inside to a path of this machine.
  public void copyOut(String source, Path target) {
    Commands.tell(() -> new Copying(files()).out(source, target));
  }

  /// A connection to a port inside.
  public Forward connect(int port) {
    return Commands.ask(() -> inside().forward(port));
  }

  public Usage usage() {
    return Commands.ask(() -> inside().usage());
  }

  // Its life

  /// Starts it with the files it had; one that runs is left as it is.
  public SandboxRecord start() {
    return desk.start(name);
  }

  /// Ends everything in it and keeps its files.
  public SandboxRecord stop() {
    return desk.stop(name);
  }

  /// Ends it and removes its files.
  ///
  /// @return whether it was there
  public boolean remove() {
    return desk.remove(name);
  }

  /// Lets it live longer: from now or from its present end, whichever is later.
  public SandboxRecord extend(Duration by) {
    return desk.extend(name, by);
  }

  /// Replaces all its labels.
  public SandboxRecord label(Map<String, String> labels) {
    return desk.describe(name, Optional.of(labels), Optional.empty());
  }

  public SandboxRecord describe(String text) {
    return desk.describe(name, Optional.empty(), Optional.of(text));
  }

  /// Lets it connect to these, also while it runs.
  public SandboxRecord allow(String... rules) {
    return desk.egress(name, List.of(rules), List.of(), List.of());
  }

  /// Keeps it from connecting to these, also while it runs.
  public SandboxRecord deny(String... rules) {
    return desk.egress(name, List.of(), List.of(rules), List.of());
  }

  /// Takes rules of either kind back.
  public SandboxRecord forget(String... rules) {
    return desk.egress(name, List.of(), List.of(), List.of(rules));
  }

  /// What happened to it after the first `after` events: refused connections above all. Waits for
  /// one, up to a minute, if there is none.
  public SandboxEvents events(long after, Duration wait) {
    return desk.events(name, after, wait);
  }

  private husk.spi.Sandbox inside() {
    return desk.inside(name);
  }

  /// Removes it if it has no name of its caller's; any other stays until it is removed.
  @Override
  public void close() {
    if (temporary) {
      remove();
    }
  }
}
