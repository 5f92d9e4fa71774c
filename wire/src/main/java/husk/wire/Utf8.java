package husk.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

/// Tells whether bytes are UTF-8, and makes them so.
public final class Utf8 {
  private static final int CHUNK = 16 * 1024;

  private Utf8() {}

  /// Looks at all of them and changes nothing.
  public static boolean valid(ByteBuffer bytes) {
    var decoder = StandardCharsets.UTF_8.newDecoder();
    var from = bytes.duplicate();
    var chars = CharBuffer.allocate(CHUNK);
    while (true) {
      skipAscii(from);
      var result = decoder.decode(from, chars.clear(), true);
      if (result.isError()) {
        return false;
      }
      if (result.isUnderflow()) {
        return true;
      }
    }
  }

  /// Most of what kernels say is plain, and a loop over that costs next to nothing.
  private static void skipAscii(ByteBuffer bytes) {
    int at = bytes.position();
    while (at < bytes.limit() && bytes.get(at) >= 0) {
      at++;
    }
    bytes.position(at);
  }

  /// The bytes as they are, or with what is not UTF-8 replaced, as Jupyter's own clients do.
  public static ByteBuffer repaired(ByteBuffer bytes) {
    if (valid(bytes)) {
      return bytes;
    }
    return StandardCharsets.UTF_8.encode(StandardCharsets.UTF_8.decode(bytes.duplicate()));
  }
}
