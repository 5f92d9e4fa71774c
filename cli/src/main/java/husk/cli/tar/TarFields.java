package husk.cli.tar;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The fields of an archive's header block.
final class TarFields {
  static final int BLOCK = 512;
  static final int CHECKSUM = 148;

  private TarFields() {}

  /// Text up to its NUL.
  static String text(byte[] block, int from, int length) throws IOException {
    int end = from;
    while (end < from + length && block[end] != 0) {
      end++;
    }
    return decoded(Arrays.copyOfRange(block, from, end));
  }

  /// UTF-8 and nothing else: two names that are replaced by one would hide each other.
  static String decoded(byte[] bytes) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException("the archive has a name that is not UTF-8", e);
    }
  }

  /// Octal digits, or GNU's binary form for what does not fit.
  static long number(byte[] block, int from, int length) throws IOException {
    return (block[from] & 0x80) == 0 ? octal(block, from, length) : binary(block, from, length);
  }

  private static long octal(byte[] block, int from, int length) throws IOException {
    long number = 0;
    boolean digits = false;
    for (int i = from; i < from + length; i++) {
      byte b = block[i];
      if (b >= '0' && b <= '7') {
        number = number * 8 + (b - '0');
        digits = true;
      } else if (b == 0 || (b == ' ' && digits)) {
        break;
      } else if (b != ' ') {
        throw new IOException("the archive has a malformed number");
      }
    }
    return number;
  }

  private static long binary(byte[] block, int from, int length) throws IOException {
    long number = 0;
    for (int i = from + 1; i < from + length; i++) {
      if (number >> 54 != 0) {
        throw new IOException("the archive has an impossible number");
      }
      number = number << 8 | (block[i] & 0xff);
    }
    if (block[from] != (byte) 0x80) {
      throw new IOException("the archive has a negative number");
    }
    return number;
  }

  /// The sum of all bytes, those of the sum itself counted as blanks.
  static long checksum(byte[] block) {
    long sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += i >= CHECKSUM && i < CHECKSUM + 8 ? ' ' : block[i] & 0xff;
    }
    return sum;
  }
}
