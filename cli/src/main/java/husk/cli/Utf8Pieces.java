package husk.cli;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/// Makes text of bytes that come in pieces: a character that is cut between two of them is kept
/// together, and what is no UTF-8 is replaced.
final class Utf8Pieces {
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private byte[] rest = {};

  String take(byte[] piece) {
    var bytes = ByteBuffer.allocate(rest.length + piece.length).put(rest).put(piece).flip();
    var text = CharBuffer.allocate(bytes.remaining() + 1);
    decoder.decode(bytes, text, false);
    rest = new byte[bytes.remaining()];
    bytes.get(rest);
    return text.flip().toString();
  }
}
