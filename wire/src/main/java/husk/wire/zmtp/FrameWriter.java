package husk.wire.zmtp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Writes whole messages to a channel, one after the other, for any number of threads.
///
/// A reader that owes a PONG does not wait for a sender whose message the peer is slow to take: it
/// leaves the PONG for that sender to write. Otherwise two sides that both send could block for
/// ever.
final class FrameWriter {
  private static final int GATHERED = 128 * 1024;

  private final WritableByteChannel channel;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicReference<byte @Nullable []> owed = new AtomicReference<>();

  FrameWriter(WritableByteChannel channel) {
    this.channel = channel;
  }

  void write(ByteBuffer... buffers) throws IOException {
    lock.lock();
    try {
      writeFully(buffers);
    } finally {
      lock.unlock();
    }
    settle();
  }

  /// Sends a command now, or after the message that is being written; a later one replaces it.
  void owe(byte[] command) throws IOException {
    owed.set(command);
    settle();
  }

  private void settle() throws IOException {
    while (owed.get() != null && lock.tryLock()) {
      try {
        var command = owed.getAndSet(null);
        if (command != null) {
          writeFully(FrameEncoder.command(command));
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /// Small messages take one gathering write. Large ones go in slices, because the JDK copies each
  /// piece of heap memory it writes into native memory of the same size.
  private void writeFully(ByteBuffer... buffers) throws IOException {
    long total = 0;
    for (var buffer : buffers) {
      total += buffer.remaining();
    }
    if (total <= GATHERED && channel instanceof GatheringByteChannel gathering) {
      while (total > 0) {
        total -= gathering.write(buffers);
      }
      return;
    }
    for (var buffer : buffers) {
      writeSliced(buffer);
    }
  }

  private void writeSliced(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      var slice = buffer.slice(buffer.position(), Math.min(buffer.remaining(), GATHERED));
      buffer.position(buffer.position() + channel.write(slice));
    }
  }
}
