package husk.api.sandboxes;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The body of an answer, written piece by piece by any thread. Its head is sent with the first
/// piece: until then a refusal can still be answered as one.
///
/// Writing waits for a caller that reads slowly, which holds back what is written about.
final class Outgoing extends OutputStream {
  private final ServerResponse response;
  private final ReentrantLock writing = new ReentrantLock();
  private @Nullable OutputStream out;
  private boolean closed;

  Outgoing(ServerResponse response) {
    this.response = response;
  }

  /// Keeps an answer that has not begun from beginning.
  ///
  /// @return whether it can be answered otherwise
  boolean withdraw() {
    writing.lock();
    try {
      closed |= out == null;
      return out == null;
    } finally {
      writing.unlock();
    }
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes) {
    write(bytes, 0, bytes.length);
  }

  /// Writes and flushes, unless it is closed already.
  @Override
  public void write(byte[] bytes, int offset, int length) {
    writing.lock();
    try {
      if (closed) {
        return;
      }
      var opened = stream();
      opened.write(bytes, offset, length);
      opened.flush();
    } catch (IOException | UncheckedIOException | CloseConnectionException e) {
      closed = true;
      throw new CallerGone(e);
    } finally {
      writing.unlock();
    }
  }

  private OutputStream stream() {
    var opened = out;
    if (opened == null) {
      opened = response.outputStream();
      out = opened;
    }
    return opened;
  }

  /// Ends the answer: it is whole.
  @Override
  public void close() {
    writing.lock();
    try {
      if (!closed) {
        closed = true;
        stream().close();
      }
    } catch (IOException | UncheckedIOException | CloseConnectionException e) {
      throw new CallerGone(e);
    } finally {
      writing.unlock();
    }
  }

  /// Breaks the answer off, so that nobody takes the half for the whole.
  CloseConnectionException breakOff(Throwable cause) {
    writing.lock();
    try {
      closed = true;
      return new CloseConnectionException("the answer cannot be finished", cause);
    } finally {
      writing.unlock();
    }
  }
}
