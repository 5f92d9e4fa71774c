package husk.api.sandboxes;

import husk.api.accept.Pace;
import husk.api.accept.Visit;
import husk.model.Problem;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;

/// Passes the body of a request on to something that reads, as fast as that reads.
final class Inputs {
  private static final int PIECE = 64 << 10;

  private Inputs() {}

  /// Takes a piece of input.
  @FunctionalInterface
  interface Taker {
    void take(byte[] bytes, int offset, int length) throws IOException;
  }

  /// Something said to what reads.
  @FunctionalInterface
  interface Word {
    void say() throws IOException;
  }

  /// How many bytes there were.
  static long pass(ServerRequest request, Taker taker) {
    Visit.current().pace(Pace.OPEN);
    try (var in = request.content().inputStream()) {
      return pass(in, taker);
    } catch (IOException e) {
      throw ended(e);
    }
  }

  private static long pass(InputStream in, Taker taker) throws IOException {
    var piece = new byte[PIECE];
    long bytes = 0;
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      taker.take(piece, 0, read);
      bytes += read;
    }
    return bytes;
  }

  static void tell(Word word) {
    try {
      word.say();
    } catch (IOException e) {
      throw ended(e);
    }
  }

  private static Problem ended(IOException cause) {
    return new Problem(
            Problem.Code.NOT_FOUND_INSIDE,
            "it has ended, and takes no more input",
            "the answer to the request that began it says how it ended")
        .causedBy(cause);
  }
}
