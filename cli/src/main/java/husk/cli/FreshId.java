package husk.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.HexFormat;

/// Makes an execution's id from the system's random numbers, without what `SecureRandom` loads to
/// improve on them.
final class FreshId {
  private static final int BYTES = 16;

  private FreshId() {}

  static String next() throws IOException {
    try (var random = new FileInputStream("/dev/urandom")) {
      return HexFormat.of().formatHex(random.readNBytes(BYTES));
    }
  }
}
