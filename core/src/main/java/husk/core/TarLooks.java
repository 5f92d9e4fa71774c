package husk.core;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/// Reads from a tar archive what the files in it look like, and keeps nothing of their contents.
///
/// It is as the tar of a sandbox writes it, with GNU's long names. It may lie: all that comes of
/// that is an [IOException], or a comparison with something that is not there.
final class TarLooks {
  private static final int BLOCK = 512;
  private static final int LONGEST_NAME = 1 << 16;
  private static final int MOST = 200_000;

  private final InputStream in;
  private final Map<String, String> looks = new TreeMap<>();
  private String longName = "";
  private String longTarget = "";

  private TarLooks(InputStream in) {
    this.in = in;
  }

  /// By path, folders with a slash at the end: kind, mode, target and digest of each as one text.
  static Map<String, String> read(InputStream in) throws IOException {
    var reader = new TarLooks(in);
    var header = in.readNBytes(BLOCK);
    while (header.length == BLOCK && header[0] != 0) {
      reader.take(header);
      header = in.readNBytes(BLOCK);
    }
    return reader.looks;
  }

  private void take(byte[] header) throws IOException {
    char kind = (char) header[156];
    long size = number(header, 124, 12);
    switch (kind) {
      case 'L' -> longName = name(size);
      case 'K' -> longTarget = name(size);
      default -> note(header, kind, digest(size));
    }
  }

  private void note(byte[] header, char kind, String digest) throws IOException {
    var path = (longName.isEmpty() ? text(header, 0, 100) : longName).replaceFirst("^\\./", "");
    var target = longTarget.isEmpty() ? text(header, 157, 100) : longTarget;
    longName = "";
    longTarget = "";
    if (!path.isEmpty()) {
      looks.put(path, kind + " " + number(header, 100, 8) + " " + target + " " + digest);
    }
    if (looks.size() > MOST) {
      throw new IOException("there are more than " + MOST + " files");
    }
  }

  private String name(long size) throws IOException {
    if (size > LONGEST_NAME) {
      throw new IOException("a name of " + size + " bytes");
    }
    var bytes = in.readNBytes((int) size);
    in.skipNBytes(padding(size));
    return text(bytes, 0, bytes.length);
  }

  private String digest(long size) throws IOException {
    var digest = sha256();
    var piece = new byte[1 << 16];
    long left = size;
    while (left > 0) {
      int count = in.read(piece, 0, (int) Math.min(left, piece.length));
      if (count < 0) {
        throw new EOFException("the archive ends in the middle");
      }
      digest.update(piece, 0, count);
      left -= count;
    }
    in.skipNBytes(padding(size));
    return HexFormat.of().formatHex(digest.digest());
  }

  private static long padding(long size) {
    return -size & (BLOCK - 1);
  }

  /// Octal digits, or where they do not suffice the number itself after its first bit.
  private static long number(byte[] header, int start, int length) throws IOException {
    try {
      if (header[start] < 0) {
        return new BigInteger(1, header, start + 1, length - 1).longValueExact();
      }
      var digits = text(header, start, length).strip();
      return digits.isEmpty() ? 0 : Math.max(0, Long.parseLong(digits, 8));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new IOException("not an archive of tar's", e);
    }
  }

  private static String text(byte[] bytes, int start, int most) {
    int end = start;
    while (end < start + most && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
