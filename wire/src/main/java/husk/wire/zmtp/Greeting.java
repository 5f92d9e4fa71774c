package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/// The 64 bytes each side opens with: signature, version, security mechanism, role, filler.
///
/// We announce version 3.0, in which subscriptions are messages; peers of any 3.x answer in kind.
final class Greeting {
  static final int SIZE = 64;

  private static final int VERSION = 10;
  private static final int MECHANISM = 12;
  private static final int AS_SERVER = 32;

  private Greeting() {}

  static byte[] ours() {
    var bytes = new byte[SIZE];
    bytes[0] = (byte) 0xff;
    bytes[9] = 0x7f;
    bytes[VERSION] = 3;
    System.arraycopy("NULL".getBytes(US_ASCII), 0, bytes, MECHANISM, 4);
    return bytes;
  }

  /// Checks what of a peer's greeting has arrived, so that a peer which is not ZeroMQ is refused at
  /// its first bytes and not when it has sent 64.
  static void check(byte[] bytes, int arrived) throws ZmtpException {
    if ((arrived > 0 && bytes[0] != (byte) 0xff) || (arrived > 9 && (bytes[9] & 1) == 0)) {
      throw new ZmtpException("the peer does not speak ZMTP: its greeting has another signature");
    }
    if (arrived > VERSION && (bytes[VERSION] & 0xff) < 3) {
      throw new ZmtpException("the peer speaks a ZMTP older than 3");
    }
    if (arrived == SIZE && !"NULL".equals(mechanism(bytes))) {
      throw new ZmtpException(
          "the peer wants the security mechanism `" + mechanism(bytes) + "`, not `NULL`");
    }
  }

  private static String mechanism(byte[] bytes) {
    var field = new String(Arrays.copyOfRange(bytes, MECHANISM, AS_SERVER), US_ASCII);
    int end = field.indexOf('\0');
    return end < 0 ? field : field.substring(0, end);
  }
}
