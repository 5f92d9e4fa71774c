package husk.core;

import husk.spi.Sandbox;
import husk.spi.Tenancy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What else is mounted in a folder of a running sandbox: an interpreter, or something of the
/// user's. It is not the sandbox's to pack, and above all not to remove.
final class MountedInside {
  /// Of a line in mountinfo.
  private static final int MOUNT_POINT = 4;

  private MountedInside() {}

  /// The names in the folder under which something is mounted, at whatever depth.
  static List<String> names(Sandbox sandbox, String folder) throws IOException {
    var pid = sandbox.tenancy().map(Tenancy::pid).orElseThrow(() -> new IOException("no process"));
    var inside = folder + "/";
    return read(Path.of("/proc/" + pid + "/mountinfo"))
        .lines()
        .map(line -> plain(line.split(" ")[MOUNT_POINT]))
        .filter(point -> point.startsWith(inside))
        .map(point -> point.substring(inside.length()).split("/")[0])
        .distinct()
        .toList();
  }

  /// A name that is no text could not be told from others: then nothing is known.
  private static String read(Path mounts) throws IOException {
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(Files.readAllBytes(mounts)))
        .toString();
  }

  /// Blanks and the like are written as a backslash and three octal digits.
  static String plain(String escaped) {
    var text = new StringBuilder();
    for (int at = 0; at < escaped.length(); at++) {
      if (escaped.charAt(at) == '\\' && at + 3 < escaped.length()) {
        text.append((char) Integer.parseInt(escaped.substring(at + 1, at + 4), 8));
        at += 3;
      } else {
        text.append(escaped.charAt(at));
      }
    }
    return text.toString();
  }
}
