package husk.agent;

import husk.spi.Forward;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/// A connection to a port inside, through the agent.
final class AgentForward implements Forward {
  private final Line line;
  private final DataInput input;

  private AgentForward(Line line) {
    this.line = line;
    this.input = new DataInput(line);
  }

  static Forward open(Path socket, int port) throws IOException {
    var line = Line.ask(socket, Fields.operation("forward").add("port", port));
    try {
      line.answer();
      return new AgentForward(line);
    } catch (IOException | RuntimeException e) {
      line.close();
      throw e;
    }
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; done += Frame.DATA) {
          line.send(Frame.DATA_PIECE, bytes, offset + done, Math.min(Frame.DATA, length - done));
        }
      }
    };
  }

  @Override
  public void endOutput() throws IOException {
    line.send(Frame.END, new byte[0]);
  }

  @Override
  public void close() {
    line.close();
  }
}
