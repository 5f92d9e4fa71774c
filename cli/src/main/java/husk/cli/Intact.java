package husk.cli;

import husk.model.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Words and variables of this process are read as UTF-8 before anybody here sees them. What is not
/// UTF-8 is replaced meanwhile: passed on, it would be another word than the one given.
final class Intact {
  static final Path WORDS = Path.of("/proc/self/cmdline");
  static final Path ENVIRONMENT = Path.of("/proc/self/environ");

  private static final char REPLACEMENT = '\uFFFD';

  private Intact() {}

  /// Refuses what was replaced. Whoever really wrote the sign of replacement is let through.
  static void require(Path origin, String what, String... texts) {
    for (String text : texts) {
      if (text.indexOf(REPLACEMENT) >= 0 && !isText(origin)) {
        throw new Problem(
            Problem.Code.USAGE,
            what + " is not UTF-8, and cannot be passed on as it is",
            "pass it in a file or on standard input");
      }
    }
  }

  private static boolean isText(Path origin) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(origin)));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
