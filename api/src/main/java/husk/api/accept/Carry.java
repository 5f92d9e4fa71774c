package husk.api.accept;

import io.helidon.webserver.CloseConnectionException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Bytes that have come and were not passed on yet.
final class Carry {
  private static final int LONGEST_LINE = 4096;

  private final Supplier<byte @Nullable []> source;
  private byte[] bytes = new byte[0];
  private int at;

  Carry(Supplier<byte @Nullable []> source) {
    this.source = source;
  }

  boolean empty() {
    return at == bytes.length;
  }

  /// Waits for some if there are none; false when there will be no more.
  boolean fill() {
    if (empty()) {
      var next = source.get();
      if (next == null) {
        return false;
      }
      bytes = next;
      at = 0;
    }
    return true;
  }

  int available() {
    return bytes.length - at;
  }

  byte peek(int ahead) {
    return bytes[at + ahead];
  }

  byte[] take(long most) {
    int count = (int) Math.min(most, available());
    boolean whole = at == 0 && count == bytes.length;
    var taken = whole ? bytes : Arrays.copyOfRange(bytes, at, at + count);
    at += count;
    return taken;
  }

  /// A line without its end; null when it does not come.
  @Nullable String line() {
    var line = new StringBuilder();
    while (line.length() <= LONGEST_LINE) {
      if (!fill()) {
        return null;
      }
      char next = (char) (bytes[at++] & 0xff);
      if (next == '\n' && !line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
        line.setLength(line.length() - 1);
        return line.toString();
      }
      line.append(next);
    }
    throw new CloseConnectionException("a line of more than " + LONGEST_LINE + " bytes");
  }
}
