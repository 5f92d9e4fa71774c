package husk.cli;

import husk.model.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Reads texts given as files or on standard input.
final class Texts {
  private Texts() {}

  static String file(String path, Terminal terminal) {
    try {
      return decode(Files.readAllBytes(Path.of(Creation.absolute(path, terminal))), path);
    } catch (NoSuchFileException e) {
      throw refused("there is no file `" + path + "`").causedBy(e);
    } catch (IOException e) {
      throw refused("`" + path + "` cannot be read: " + e.getMessage()).causedBy(e);
    }
  }

  static String standardInput(Terminal terminal) throws IOException {
    return decode(terminal.readAll(), "standard input");
  }

  /// UTF-8 and nothing else, so that nothing is replaced in silence; a byte order mark is dropped.
  private static String decode(byte[] bytes, String source) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw refused("`" + source + "` is not UTF-8 text").causedBy(e);
    }
  }

  private static Problem refused(String message) {
    return new Problem(Problem.Code.INVALID_REQUEST, message);
  }
}
