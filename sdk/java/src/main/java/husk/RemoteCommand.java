package husk;

import husk.local.UnixHttp;
import husk.spi.CommandEvent;
import husk.spi.CommandSpec;
import husk.spi.RunningCommand;
import husk.wire.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/// A command of a sandbox of the daemon: its output is one answer, each piece of its input a
/// request.
final class RemoteCommand implements RunningCommand {
  private final Connections connections;
  private final RemoteLine line;
  private final String path;

  private RemoteCommand(Connections connections, RemoteLine line, String path) {
    this.connections = connections;
    this.line = line;
    this.path = path;
  }

  static RunningCommand open(
      Connections connections, String sandbox, String method, String target, byte[] body)
      throws IOException {
    var line = RemoteLine.open(connections, method, sandbox + target, body);
    return new RemoteCommand(connections, line, sandbox + "/exec/" + UnixHttp.segment(line.id()));
  }

  @Override
  public String id() {
    return line.id();
  }

  @Override
  public CommandEvent next() throws IOException {
    while (true) {
      var frame = line.next();
      switch (frame.kind()) {
        case STDOUT -> {
          return new CommandEvent.Output(false, frame.bytes());
        }
        case STDERR -> {
          return new CommandEvent.Output(true, frame.bytes());
        }
        case RESULT -> {
          return new CommandEvent.Ended(Json.read(frame.bytes(), ExecJson.End.class).end());
        }
        case PROBLEM -> throw Problems.read(frame.bytes());
        case EVENT, HEARTBEAT -> {}
      }
    }
  }

  @Override
  public void input(byte[] bytes, int offset, int length) throws IOException {
    var piece = new ByteArrayInputStream(bytes, offset, length);
    Uploads.send(connections, "POST", path + "/stdin", piece);
  }

  @Override
  public void endInput() throws IOException {
    Uploads.send(connections, "POST", path + "/stdin?end=1", new ByteArrayInputStream(Bodies.NONE));
  }

  @Override
  public void signal(int number) {
    connections.askOnce("POST", path + "/signal", ExecJson.signal(number)).throwProblem();
  }

  @Override
  public void resize(CommandSpec.Window window) {
    connections.askOnce("POST", path + "/resize", Json.bytes(window)).throwProblem();
  }

  @Override
  public void close() {
    line.close();
  }
}
