package husk.agent;

import husk.model.Problem;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/// A connection to the agent: one operation, frames both ways.
final class Line implements AutoCloseable {
  private final SocketChannel channel;
  private final DataInputStream in;
  private final ReentrantLock writing = new ReentrantLock();

  private Line(SocketChannel channel) {
    this.channel = channel;
    this.in = new DataInputStream(Channels.newInputStream(channel));
  }

  static Line open(Path socket) throws IOException {
    var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      return new Line(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /// Opens a line and asks for an operation.
  static Line ask(Path socket, Fields request) throws IOException {
    byte[] bytes = request.bytes();
    if (bytes.length > Frame.LONGEST) {
      throw new Problem(
          Problem.Code.TOO_LARGE,
          "the words and variables are %d bytes; together they may be %d"
              .formatted(bytes.length, Frame.LONGEST),
          "pass what is long in a file or on standard input");
    }
    var line = open(socket);
    try {
      line.send(Frame.REQUEST, bytes);
      return line;
    } catch (IOException | RuntimeException e) {
      line.close();
      throw e;
    }
  }

  void send(char kind, byte[] payload) throws IOException {
    send(kind, payload, 0, payload.length);
  }

  void send(char kind, byte[] bytes, int offset, int length) throws IOException {
    if (length > Frame.LONGEST) {
      throw new IOException("a message of " + length + " bytes is longer than the agent takes");
    }
    var frame = ByteBuffer.allocate(5 + length);
    frame.put((byte) kind).putInt(length).put(bytes, offset, length).flip();
    writing.lock();
    try {
      while (frame.hasRemaining()) {
        channel.write(frame);
      }
    } finally {
      writing.unlock();
    }
  }

  /// The next frame; an [EOFException] when the agent has closed the line.
  Frame receive() throws IOException {
    char kind = (char) in.readUnsignedByte();
    int length = in.readInt();
    if (length < 0 || length > Frame.LONGEST) {
      throw new IOException("the sandbox's agent sent a frame of impossible length");
    }
    var payload = in.readNBytes(length);
    if (payload.length < length) {
      throw new EOFException("the sandbox's agent stopped in the middle of a frame");
    }
    return new Frame(kind, payload);
  }

  /// The fields of the answer that comes next; what went wrong is a problem.
  Fields answer() throws IOException {
    var frame = receive();
    return switch (frame.kind()) {
      case Frame.ANSWER -> fields(frame);
      case Frame.PROBLEM -> throw AgentProblems.of(fields(frame));
      default -> throw unexpected(frame);
    };
  }

  static Fields fields(Frame frame) throws IOException {
    return Fields.parse(frame.payload())
        .orElseThrow(() -> new IOException("the sandbox's agent sent malformed fields"));
  }

  static IOException unexpected(Frame frame) {
    return new IOException(
        "the sandbox's agent sent an unexpected frame (" + (int) frame.kind() + ")");
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed as far as it can be.
    }
  }
}
