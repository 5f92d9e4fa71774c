package husk.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A running sandbox. It outlives the process that holds this object, until it is ended.
public interface Sandbox {
  SandboxProcess process();

  /// What holds its limits here.
  Enforcement enforcement();

  /// Whether its first process lives.
  boolean alive();

  /// Starts a command; it runs when this returns.
  RunningCommand run(CommandSpec command) throws IOException;

  /// A line to a command that runs or is remembered: what is kept of its output, then the rest.
  ///
  /// @param stream which output; both if absent
  /// @param logsOnly whether to end after what is kept
  RunningCommand attach(String id, Optional<String> stream, boolean logsOnly) throws IOException;

  List<CommandInfo> commands() throws IOException;

  /// Signals a command and all it started.
  void kill(String id, int signal) throws IOException;

  SandboxFiles files();

  Forward forward(int port) throws IOException;

  Usage usage() throws IOException;

  /// Where the sandbox's own agent listens, for those on this machine who may talk to it directly.
  Optional<Path> agentSocket();

  /// How a process of the host moves in; empty where it cannot.
  Optional<Tenancy> tenancy();

  /// How often something inside was killed for want of memory.
  long memoryKills();

  /// Ends everything inside; nothing of it runs when this returns.
  void end();
}
