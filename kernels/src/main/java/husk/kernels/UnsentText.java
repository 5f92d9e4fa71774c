package husk.kernels;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.JsonNodeFactory;

/// Reads what a dead kernel had printed and not even put into a message. The guest's `unsent.py`
/// writes it and describes the layout.
final class UnsentText {
  static final int OFFSET = 256 * 1024;
  private static final int HEADER_BYTES = 5 * 8;
  private static final int STDERR = 0xff;
  private static final int FIRST_MARK = 0xfe;

  private final LastWords.Hearer hearer;
  private long skipped;

  private UnsentText(LastWords.Hearer hearer, long skipped) {
    this.hearer = hearer;
    this.skipped = skipped;
  }

  /// Tells `hearer` the text that is in none of the first `known` messages.
  static void replay(ByteBuffer bytes, long known, LastWords.Hearer hearer) {
    if (bytes.limit() < OFFSET + HEADER_BYTES) {
      return;
    }
    bytes.position(OFFSET);
    long used = bytes.getLong();
    long first = bytes.getLong();
    long message = bytes.getLong();
    long before = bytes.getLong();
    long end = bytes.getLong();
    if (used >= 0 && used <= bytes.remaining()) {
      var text = new byte[(int) used];
      bytes.get(text);
      new UnsentText(hearer, (known > message ? end : before) - first).tell(text);
    }
  }

  private void tell(byte[] text) {
    int start = 0;
    var name = "stdout";
    for (int i = 0; i < text.length; i++) {
      int mark = Byte.toUnsignedInt(text[i]);
      if (mark >= FIRST_MARK) {
        tell(name, text, start, i);
        name = mark == STDERR ? "stderr" : "stdout";
        start = i + 1;
      }
    }
    tell(name, text, start, text.length);
  }

  private void tell(String name, byte[] bytes, int start, int end) {
    var text = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    long count = text.codePointCount(0, text.length());
    int from = (int) Math.clamp(skipped, 0, count);
    skipped -= from;
    var rest = text.substring(text.offsetByCodePoints(0, from));
    if (!rest.isEmpty()) {
      hearer.hear(
          "stream", JsonNodeFactory.instance.objectNode().put("name", name).put("text", rest));
    }
  }
}
