package husk.api.jupyter;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Writes WebSocket frames, whole and one after the other, for any number of threads.
///
/// Whoever reads must not wait for a client that reads slowly: a pong that cannot be written at
/// once is left for whoever is writing.
final class WsOutput {
  private static final int CHUNK = 32 * 1024;
  private static final int FIRST = 0x80;
  private static final int LARGEST_HEAD = 10;

  private final DataWriter writer;
  private final ReentrantLock lock = new ReentrantLock();
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
  private final AtomicReference<byte @Nullable []> owedPong = new AtomicReference<>();

  WsOutput(DataWriter writer) {
    this.writer = writer;
  }

  void send(int code, List<ByteBuffer> parts) throws IOException {
    send(code, parts, false);
  }

  /// Writes a frame.
  ///
  /// @param more whether another follows at once, with which it may go out
  void send(int code, List<ByteBuffer> parts, boolean more) throws IOException {
    lock.lock();
    try {
      write(code, parts);
      if (!more) {
        flush();
      }
    } finally {
      lock.unlock();
    }
    settle();
  }

  void pong(byte[] payload) throws IOException {
    owedPong.set(payload);
    settle();
  }

  private void settle() throws IOException {
    while (owedPong.get() != null && lock.tryLock()) {
      try {
        var payload = owedPong.getAndSet(null);
        if (payload != null) {
          write(WsInput.PONG, List.of(ByteBuffer.wrap(payload)));
          flush();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private void write(int code, List<ByteBuffer> parts) throws IOException {
    if (chunk.remaining() < LARGEST_HEAD) {
      flush();
    }
    head(chunk, code, parts.stream().mapToLong(ByteBuffer::remaining).sum());
    for (var part : parts) {
      var rest = part.duplicate();
      while (rest.hasRemaining()) {
        if (!chunk.hasRemaining()) {
          flush();
        }
        int count = Math.min(rest.remaining(), chunk.remaining());
        chunk.put(rest.slice(rest.position(), count));
        rest.position(rest.position() + count);
      }
    }
  }

  private static void head(ByteBuffer chunk, int code, long length) {
    chunk.put((byte) (FIRST | code));
    if (length < 126) {
      chunk.put((byte) length);
    } else if (length <= 0xffff) {
      chunk.put((byte) 126).putShort((short) length);
    } else {
      chunk.put((byte) 127).putLong(length);
    }
  }

  private void flush() throws IOException {
    try {
      writer.writeNow(BufferData.create(chunk.array(), chunk.arrayOffset(), chunk.position()));
    } catch (RuntimeException e) {
      throw new IOException("the client is gone", e);
    }
    chunk.clear();
  }
}
