package husk.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/// Tells whether bytes are UTF-8, and makes them so.
public final class Utf8 {
  private static final int CHUNK = 16 * 1024;
  private static final int LARGE = 1 << 20;

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

  /// The bytes as they are, or with what is not UTF-8 replaced, as Jupyter's own clients do. In
  /// large ones the replacement is a question mark, so that they do not grow.
  public static ByteBuffer repaired(ByteBuffer bytes) {
    if (valid(bytes)) {
      return bytes;
    }
    boolean large = bytes.remaining() > LARGE;
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .replaceWith(large ? "?" : "\uFFFD");
    var from = bytes.duplicate();
    var repaired = ByteBuffer.allocate(large ? bytes.remaining() : 3 * bytes.remaining());
    var chars = CharBuffer.allocate(CHUNK);
    boolean more = true;
    while (more) {
      more = decoder.decode(from, chars, true).isOverflow();
      repaired.put(StandardCharsets.UTF_8.encode(chars.flip()));
      chars.clear();
    }
    return repaired.flip();
  }
}
