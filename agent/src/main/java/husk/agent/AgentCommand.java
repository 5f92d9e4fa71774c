package husk.agent;

import husk.spi.CommandEnd;
import husk.spi.CommandEvent;
import husk.spi.CommandSpec;
import husk.spi.RunningCommand;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// A command on the agent's other end.
final class AgentCommand implements RunningCommand {
  private final Line line;
  private final String id;

  private AgentCommand(Line line, String id) {
    this.line = line;
    this.id = id;
  }

  static RunningCommand start(Path socket, CommandSpec command) throws IOException {
    return open(socket, CommandForms.request(command));
  }

  static RunningCommand attach(Path socket, String id, Optional<String> stream, boolean logsOnly)
      throws IOException {
    var request = Fields.operation("attach").add("id", id).flag("logs", logsOnly);
    stream.ifPresent(name -> request.add("stream", name));
    return open(socket, request);
  }

  private static RunningCommand open(Path socket, Fields request) throws IOException {
    var line = Line.ask(socket, request);
    try {
      return new AgentCommand(line, id(line));
    } catch (IOException | RuntimeException e) {
      line.close();
      throw e;
    }
  }

  /// Whoever kills everything it can see, kills the one that would have told its id.
  private static String id(Line line) throws IOException {
    try {
      return AgentProblems.printable(line.answer().text("id"));
    } catch (EOFException e) {
      return "";
    }
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public CommandEvent next() throws IOException {
    try {
      var frame = line.receive();
      return switch (frame.kind()) {
        case Frame.OUTPUT -> new CommandEvent.Output(false, frame.payload());
        case Frame.ERROR -> new CommandEvent.Output(true, frame.payload());
        case Frame.EXIT -> new CommandEvent.Ended(CommandForms.end(Line.fields(frame)));
        case Frame.END -> new CommandEvent.Ended(stillRunning());
        case Frame.PROBLEM -> throw AgentProblems.of(Line.fields(frame));
        default -> throw Line.unexpected(frame);
      };
    } catch (EOFException e) {
      // Its first process is gone, and with it everything inside.
      return new CommandEvent.Ended(CommandEnd.withSandbox());
    }
  }

  /// Only what is kept was asked for, and there is no end to tell yet.
  private static CommandEnd stillRunning() {
    return new CommandEnd(
        Optional.empty(), Optional.empty(), CommandEnd.Reason.EXITED, 0, 0, 0, 0, 0);
  }

  @Override
  public void input(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; done += Frame.DATA) {
      line.send(Frame.INPUT, bytes, offset + done, Math.min(Frame.DATA, length - done));
    }
  }

  @Override
  public void endInput() throws IOException {
    line.send(Frame.END, new byte[0]);
  }

  @Override
  public void signal(int number) throws IOException {
    line.send(Frame.SIGNAL, Fields.none().add("signal", number).add("tree", 0).bytes());
  }

  @Override
  public void resize(CommandSpec.Window window) throws IOException {
    line.send(Frame.WINDOW, CommandForms.window(Fields.none(), window).bytes());
  }

  @Override
  public void close() {
    line.close();
  }
}
