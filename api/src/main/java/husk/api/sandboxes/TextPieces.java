package husk.api.sandboxes;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/// Makes text of bytes that come in pieces, whose borders may lie in the middle of a character.
/// What is no UTF-8 becomes the replacement character.
final class TextPieces {
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private ByteBuffer left = ByteBuffer.allocate(0);

  String next(byte[] bytes) {
    return decode(bytes, false);
  }

  /// What is left when nothing more comes.
  String rest() {
    return decode(new byte[0], true);
  }

  private String decode(byte[] bytes, boolean last) {
    var in = ByteBuffer.allocate(left.remaining() + bytes.length).put(left).put(bytes).flip();
    var text = CharBuffer.allocate(in.remaining() + 1);
    decoder.decode(in, text, last);
    left = in;
    return text.flip().toString();
  }
}
