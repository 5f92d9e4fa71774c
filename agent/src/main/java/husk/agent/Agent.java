package husk.agent;

import husk.spi.CommandInfo;
import husk.spi.CommandSpec;
import husk.spi.Forward;
import husk.spi.RunningCommand;
import husk.spi.SandboxFiles;
import husk.spi.Usage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The agent of one sandbox, as the host knows it: a socket. Each operation is a line of its own.
public final class Agent {
  private final Path socket;

  public Agent(Path socket) {
    this.socket = socket;
  }

  public Path socket() {
    return socket;
  }

  /// Waits until the agent is up, and says what it is.
  public Hello hello() throws IOException {
    var answer = ask(Fields.operation("hello"));
    return new Hello(
        answer.number("pid"),
        answer.number("uid"),
        (int) answer.number("seccomp"),
        answer.number("no_new_privs") == 1,
        answer.text("capabilities"));
  }

  /// What the first process says of itself.
  ///
  /// @param seccomp 2 when a filter is in force
  public record Hello(
      long pid, long uid, int seccomp, boolean noNewPrivileges, String capabilities) {}

  public RunningCommand run(CommandSpec command) throws IOException {
    return AgentCommand.start(socket, command);
  }

  public RunningCommand attach(String id, Optional<String> stream, boolean logsOnly)
      throws IOException {
    return AgentCommand.attach(socket, id, stream, logsOnly);
  }

  public List<CommandInfo> commands() throws IOException {
    try (var line = Line.ask(socket, Fields.operation("commands"))) {
      var commands = new ArrayList<CommandInfo>();
      for (var frame = line.receive(); frame.kind() != Frame.END; frame = line.receive()) {
        if (frame.kind() != Frame.ANSWER) {
          throw Line.unexpected(frame);
        }
        commands.add(CommandForms.info(Line.fields(frame)));
      }
      return commands;
    }
  }

  public void kill(String id, int signal) throws IOException {
    ask(Fields.operation("kill").add("id", id).add("signal", signal).flag("tree", true));
  }

  public SandboxFiles files() {
    return new AgentFiles(socket);
  }

  public Forward forward(int port) throws IOException {
    return AgentForward.open(socket, port);
  }

  public Usage usage() throws IOException {
    var answer = ask(Fields.operation("usage"));
    return new Usage(
        answer.number("processes"),
        answer.number("memory_kb"),
        answer.number("cpu_user_ms") + answer.number("cpu_system_ms"),
        answer.number("workspace_bytes"));
  }

  /// Has the agent end everything inside, itself included.
  public void shutDown() throws IOException {
    ask(Fields.operation("shutdown"));
  }

  private Fields ask(Fields request) throws IOException {
    try (var line = Line.ask(socket, request)) {
      return line.answer();
    }
  }
}
