package husk.api.accept;

import husk.model.Problem;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/// Reads the body of a request into memory, within the limit of one and the budget of all.
public final class WholeBody {
  /// So much everybody may send, however much others do: their number is limited.
  private static final int FREE = 16 << 10;

  /// What a byte stands for while it arrives and is understood, and what while it is worked with.
  private static final int ARRIVING = 3;

  private static final int KEPT = 2;

  private WholeBody() {}

  /// All of it.
  ///
  /// @param largest how many bytes it may have
  public static byte[] read(ServerRequest request, int largest) {
    var visit = Visit.current();
    visit.pace(Pace.WHOLE);
    if (announced(request) > largest) {
      throw tooLarge(largest);
    }
    try (var in = request.content().inputStream()) {
      var bytes = new byte[FREE];
      int count = 0;
      for (int read = 0; read >= 0; read = in.read(bytes, count, bytes.length - count)) {
        count += read;
        if (count > largest) {
          throw tooLarge(largest);
        }
        if (count == bytes.length) {
          int more = Math.min(bytes.length, largest + 1 - count);
          visit.hold().take((long) ARRIVING * more);
          bytes = Arrays.copyOf(bytes, count + more);
        }
      }
      visit.hold().body(count);
      return Arrays.copyOf(bytes, count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Says that the body has been understood, and its bytes and all they were turned into on the way
  /// are no longer needed.
  public static void understood() {
    Visit.current().hold().keepBody(KEPT);
  }

  private static long announced(ServerRequest request) {
    try {
      return request.headers().contentLength().orElse(-1);
    } catch (IllegalArgumentException e) {
      return -1;
    }
  }

  private static Problem tooLarge(int largest) {
    return new Problem(
        Problem.Code.TOO_LARGE,
        "the request is larger than " + (largest >> 20) + " MiB",
        "write the data to a file, and let the code read it",
        "a sandbox's files take any size: `PUT /sandboxes/NAME/fs/content?path=PATH`");
  }
}
