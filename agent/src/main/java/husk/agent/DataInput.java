package husk.agent;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// The data that a line brings, as a stream. It ends where the agent says so; a line that breaks
/// before is an exception, never a short file.
final class DataInput extends InputStream {
  private final Line line;
  private byte[] piece = {};
  private int position;
  private boolean ended;

  DataInput(Line line) {
    this.line = line;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, piece.length - position);
    System.arraycopy(piece, position, into, offset, count);
    position += count;
    return count;
  }

  private boolean fill() throws IOException {
    while (!ended && position == piece.length) {
      next();
    }
    return !ended;
  }

  private void next() throws IOException {
    var frame = receive();
    switch (frame.kind()) {
      case Frame.DATA_PIECE -> {
        piece = frame.payload();
        position = 0;
      }
      case Frame.END -> ended = true;
      case Frame.ANSWER -> {}
      case Frame.PROBLEM -> throw AgentProblems.of(Line.fields(frame));
      default -> throw Line.unexpected(frame);
    }
  }

  private Frame receive() throws IOException {
    try {
      return line.receive();
    } catch (EOFException e) {
      throw new IOException("the sandbox ended before all was read", e);
    }
  }

  @Override
  public void close() {
    line.close();
  }
}
