package husk.local;

import java.io.IOException;
import java.io.InputStream;

/// The body of an answer: of a length told beforehand, in chunks, or until the connection closes.
final class HttpBody extends InputStream {
  private static final long UNTIL_CLOSED = -1;

  private final HttpInput input;
  private final boolean staysOpen;
  private final boolean chunked;

  /// Bytes left of the body or the chunk.
  private long left;

  private boolean first = true;
  private boolean done;

  private HttpBody(HttpInput input, boolean chunked, long left, boolean staysOpen) {
    this.input = input;
    this.chunked = chunked;
    this.left = left;
    this.staysOpen = staysOpen;
  }

  static HttpBody sized(HttpInput input, long length, boolean staysOpen) {
    var body = new HttpBody(input, false, length, staysOpen);
    if (length == 0) {
      body.finish();
    }
    return body;
  }

  static HttpBody chunked(HttpInput input, boolean staysOpen) {
    return new HttpBody(input, true, 0, staysOpen);
  }

  static HttpBody untilClosed(HttpInput input) {
    return new HttpBody(input, false, UNTIL_CLOSED, false);
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!done && chunked && left == 0) {
      nextChunk();
    }
    if (done) {
      return -1;
    }
    boolean bounded = left != UNTIL_CLOSED;
    int count = input.read(target, offset, bounded ? (int) Math.min(left, length) : length);
    if (count < 0) {
      if (bounded) {
        throw HttpInput.cut();
      }
      done = true;
    } else if (bounded) {
      left -= count;
      if (left == 0 && !chunked) {
        finish();
      }
    }
    return count;
  }

  private void nextChunk() throws IOException {
    if (!first && !input.line().isEmpty()) {
      throw new IOException("a chunk of the daemon's answer is longer than it said");
    }
    first = false;
    String line = input.line();
    int extension = line.indexOf(';');
    left = HttpAnswer.number((extension < 0 ? line : line.substring(0, extension)).strip(), 16);
    if (left == 0) {
      for (int trailers = 0; !input.line().isEmpty(); trailers++) {
        if (trailers > 100) {
          throw new IOException("the daemon's answer does not end");
        }
      }
      finish();
    }
  }

  private void finish() {
    done = true;
    if (staysOpen) {
      input.end();
    }
  }
}
