package husk.sandboxes.trees;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// File names as text, without loss: on Linux a name is any bytes, and what is no text in this
/// process's encoding would come back as another name.
final class Names {
  private static final char UNREADABLE = '\uFFFD';

  /// No name holds it, so it can tell escaped names from others.
  private static final String ESCAPED = "\0";

  private static final Path ROOT = Path.of("/");

  private Names() {}

  /// The name as a key that [#path] turns back into the same bytes.
  static String key(Path name) {
    var text = name.toString();
    return text.indexOf(UNREADABLE) < 0 ? text : ESCAPED + escaped(name);
  }

  static Path path(String key) {
    if (!key.startsWith(ESCAPED)) {
      return Path.of(key);
    }
    return ROOT.relativize(Path.of(URI.create("file:///" + key.substring(1))));
  }

  /// The name as the kernel knows it, ended by a zero.
  static MemorySegment inMemory(Path name, Arena arena) {
    var text = name.toString();
    boolean plain = text.chars().allMatch(c -> c < 0x80);
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, plain ? ended(text) : ended(unescaped(name)));
  }

  private static byte[] ended(String text) {
    return (text + '\0').getBytes(StandardCharsets.ISO_8859_1);
  }

  /// Each byte as a character.
  private static String unescaped(Path name) {
    return URLDecoder.decode(
        (name.isAbsolute() ? "/" : "") + escaped(name).replace("+", "%2B"),
        StandardCharsets.ISO_8859_1);
  }

  /// For people to read.
  static String shown(String key) {
    return path(key).toString();
  }

  /// A URI's path says each byte, and ends with a slash where a folder of that name exists.
  private static String escaped(Path name) {
    var raw = ROOT.resolve(name).toUri().getRawPath();
    return raw.substring(1, raw.endsWith("/") ? raw.length() - 1 : raw.length());
  }
}
