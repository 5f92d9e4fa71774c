package husk;

import husk.local.Frame;
import husk.local.UnixHttp;
import husk.spi.Forward;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// A connection to a port in a sandbox of the daemon.
final class RemoteForward implements Forward {
  private final Connections connections;
  private final RemoteLine line;
  private final String path;
  private final InputStream input = new Received();

  private RemoteForward(Connections connections, RemoteLine line, String port) {
    this.connections = connections;
    this.line = line;
    this.path = port + "/" + UnixHttp.segment(line.id());
  }

  static Forward open(Connections connections, String port) throws IOException {
    var line = RemoteLine.open(connections, "POST", port, Bodies.NONE);
    return new RemoteForward(connections, line, port);
  }

  @Override
  public InputStream input() {
    return input;
  }

  /// What comes out of it, frame by frame.
  private final class Received extends InputStream {
    private ByteArrayInputStream piece = new ByteArrayInputStream(Bodies.NONE);
    private boolean over;

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      while (piece.available() == 0 && !over) {
        take(line.next());
      }
      return length == 0 ? 0 : piece.read(into, offset, length);
    }

    private void take(Frame frame) {
      switch (frame.kind()) {
        case STDOUT -> piece = new ByteArrayInputStream(frame.bytes());
        case RESULT -> over = true;
        case PROBLEM -> throw Problems.read(frame.bytes());
        case STDERR, EVENT, HEARTBEAT -> {}
      }
    }
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
        var piece = new ByteArrayInputStream(bytes, offset, length);
        Uploads.send(connections, "POST", path, piece);
      }
    };
  }

  @Override
  public void endOutput() throws IOException {
    Uploads.send(connections, "POST", path + "?end=1", new ByteArrayInputStream(Bodies.NONE));
  }

  @Override
  public void close() {
    line.close();
  }
}
