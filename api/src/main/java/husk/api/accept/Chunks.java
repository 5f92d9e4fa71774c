package husk.api.accept;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.helidon.webserver.CloseConnectionException;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/// A body in chunks, passed on in chunks as small as it arrives. Helidon waits for all of a chunk,
/// in memory, and one may announce two gigabytes.
final class Chunks {
  /// What comes next.
  private enum Next {
    SIZE,
    DATA,
    END_OF_DATA,
    LAST,
    NOTHING
  }

  private final Carry in;
  private Next next = Next.SIZE;
  private long left;

  Chunks(Carry in) {
    this.in = in;
  }

  boolean over() {
    return next == Next.NOTHING;
  }

  /// Something of it, in the form it came; null when the connection ends.
  byte @Nullable [] get() {
    if (next == Next.END_OF_DATA) {
      var end = in.line();
      if (end == null) {
        return null;
      }
      if (!end.isEmpty()) {
        throw new CloseConnectionException("a chunk that is longer than it says");
      }
      next = Next.SIZE;
    }
    return switch (next) {
      case SIZE -> size();
      case DATA -> data();
      case LAST -> last();
      case END_OF_DATA, NOTHING -> throw new IllegalStateException("the body is over");
    };
  }

  private byte @Nullable [] size() {
    var line = in.line();
    if (line == null) {
      return null;
    }
    left = number(line.split(";", 2)[0].strip());
    next = left == 0 ? Next.LAST : Next.DATA;
    return left == 0 ? "0\r\n".getBytes(ISO_8859_1) : data();
  }

  private static long number(String hex) {
    try {
      if (!hex.isEmpty() && hex.length() <= 15 && hex.charAt(0) != '+' && hex.charAt(0) != '-') {
        return Long.parseLong(hex, 16);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new CloseConnectionException("a chunk without a size");
  }

  private byte @Nullable [] data() {
    if (!in.fill()) {
      return null;
    }
    var piece = in.take(left);
    left -= piece.length;
    next = left == 0 ? Next.END_OF_DATA : Next.DATA;
    var chunk = new ByteArrayOutputStream(piece.length + 12);
    chunk.writeBytes((Integer.toHexString(piece.length) + "\r\n").getBytes(ISO_8859_1));
    chunk.writeBytes(piece);
    chunk.writeBytes(new byte[] {'\r', '\n'});
    return chunk.toByteArray();
  }

  /// Trailers are Helidon's to refuse.
  private byte @Nullable [] last() {
    var line = in.line();
    if (line == null) {
      return null;
    }
    next = line.isEmpty() ? Next.NOTHING : Next.LAST;
    return (line + "\r\n").getBytes(ISO_8859_1);
  }
}
