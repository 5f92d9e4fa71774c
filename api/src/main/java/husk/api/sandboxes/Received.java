package husk.api.sandboxes;

import husk.api.accept.Pace;
import husk.api.accept.Visit;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// The body of a request on its way into a sandbox, counted.
final class Received {
  private final ServerRequest request;
  private long bytes;

  Received(ServerRequest request) {
    this.request = request;
  }

  long bytes() {
    return bytes;
  }

  /// Takes what is received.
  @FunctionalInterface
  interface Taker {
    void take(InputStream in) throws IOException;
  }

  /// Passes it on. A caller that breaks off is no end of the body: what it was to become is not
  /// made.
  void pass(Taker taker) {
    Visit.current().pace(Pace.FLOWING);
    try (var in = request.content().inputStream()) {
      taker.take(new Counted(in));
    } catch (BrokenOff gone) {
      throw new CloseConnectionException("the caller broke off", gone);
    } catch (IOException e) {
      throw Inside.lost(e);
    }
  }

  /// The caller's doing, unlike other failures.
  private static final class BrokenOff extends IOException {
    private static final long serialVersionUID = 1;

    BrokenOff(Throwable cause) {
      super(cause);
    }
  }

  private final class Counted extends FilterInputStream {
    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        int read = super.read(into, offset, length);
        bytes += Math.max(0, read);
        return read;
      } catch (IOException | RuntimeException e) {
        throw new BrokenOff(e);
      }
    }
  }
}
