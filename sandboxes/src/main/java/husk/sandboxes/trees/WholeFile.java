package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Reads a small file that others may exchange at any moment, without waiting for anybody: what is
/// there instead, such as a pipe or a device, is no file.
public final class WholeFile {
  private WholeFile() {}

  /// All bytes of a file, links followed; a longer one than `most` bytes is refused.
  public static byte[] read(Path file, int most) throws IOException {
    var real = file.toRealPath();
    var folder = real.getParent();
    var name = real.getFileName();
    if (folder == null || name == null || !Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(file.toString(), null, "it is no file");
    }
    try (var parent = Held.folder(folder);
        var held = parent.fileIn(name);
        var channel = held.channel();
        var in = Channels.newInputStream(channel)) {
      var bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new FileSystemException(
            file.toString(), null, "it has more than " + (most >> 10) + " KiB");
      }
      return bytes;
    } catch (NoSuchFileException gone) {
      throw new NoSuchFileException(file.toString());
    }
  }
}
