package husk.api.accept;

import io.helidon.http.DirectHandler;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/// What is asked for and the headers that go with it, as they are collected.
final class Head {
  private static final byte[] END = {'\r', '\n', '\r', '\n'};

  /// More than Helidon takes, so that it can refuse it.
  private static final int LARGEST = 24 << 10;

  /// Each takes far more memory than the few bytes it may be written with.
  private static final int MOST_LINES = 200;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private int matched;
  private int lines;

  /// Whether it has come to its end, or is too large for one.
  boolean over() {
    return matched == END.length || bytes.size() > LARGEST;
  }

  /// Takes what belongs to it, and nothing of what follows.
  void add(Carry carry) {
    int count = 0;
    while (count < carry.available() && matched < END.length) {
      see(carry.peek(count++));
    }
    bytes.writeBytes(carry.take(count));
    if (lines > MOST_LINES) {
      throw tooMany();
    }
  }

  private void see(byte next) {
    if (next == END[matched]) {
      matched++;
    } else {
      matched = next == END[0] ? 1 : 0;
    }
    if (next == '\n') {
      lines++;
    }
  }

  /// All of it; null when there is nothing.
  byte @Nullable [] bytes() {
    return bytes.size() == 0 ? null : bytes.toByteArray();
  }

  private static RequestException tooMany() {
    return RequestException.builder()
        .type(DirectHandler.EventType.BAD_REQUEST)
        .status(Status.create(431, "Request Header Fields Too Large"))
        .setKeepAlive(false)
        .message("a request has at most " + MOST_LINES + " headers")
        .build();
  }
}
