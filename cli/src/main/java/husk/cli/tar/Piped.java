package husk.cli.tar;

import husk.model.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import org.jspecify.annotations.Nullable;

/// What one thread writes, as a stream for another to read. The writer's failure is the reader's:
/// what is cut off never looks whole.
public final class Piped extends InputStream {

  /// Who writes.
  public interface Source {
    void writeTo(OutputStream out) throws IOException;
  }

  private final InputStream in;
  private final Thread writer;
  private volatile @Nullable Throwable failure;

  private Piped(Source source, Pipe pipe) {
    this.in = Channels.newInputStream(pipe.source());
    this.writer =
        Thread.ofPlatform().daemon().name("pipe").unstarted(() -> write(source, pipe.sink()));
  }

  public static Piped of(Source source) throws IOException {
    var piped = new Piped(source, Pipe.open());
    piped.writer.start();
    return piped;
  }

  private void write(Source source, Pipe.SinkChannel sink) {
    try (var out = Channels.newOutputStream(sink)) {
      source.writeTo(out);
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count = in.read(into, offset, length);
    if (count < 0) {
      awaitEnd();
    }
    return count;
  }

  /// The pipe is closed before the failure is noted.
  private void awaitEnd() throws IOException {
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    switch (failure) {
      case null -> {}
      case Problem problem -> throw problem;
      case Throwable cause -> throw new IOException(cause.getMessage(), cause);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
