package husk.api.listen;

import husk.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/// A file of keys, one per line, read again when it has changed. Should what it has become be of no
/// use, the keys that it held before stay in force, and the log says why.
final class KeyFile {
  private static final Logger LOG = Logger.getLogger("husk.api");
  private static final EnumSet<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final Path file;
  private volatile State state;

  /// @param stamp tells one state of the file from another
  private record State(Map<String, Object> stamp, List<byte[]> digests) {}

  KeyFile(Path file) {
    this.file = file;
    try {
      var stamp = stamp();
      this.state = new State(stamp, read());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /// The digests of the keys that are in force now.
  List<byte[]> digests() {
    var known = state;
    try {
      var stamp = stamp();
      if (!stamp.equals(known.stamp())) {
        // Noted first: a file that is of no use is complained of once.
        state = new State(stamp, known.digests());
        state = new State(stamp, read());
        LOG.info(() -> "the file of API keys `" + file + "` has changed, and was read again");
      }
    } catch (IOException | Problem e) {
      complain(e);
    }
    return state.digests();
  }

  private void complain(Exception e) {
    if (Files.exists(file)) {
      LOG.log(Level.WARNING, "the keys that were in force stay so: " + e.getMessage());
    }
  }

  private Map<String, Object> stamp() throws IOException {
    return Files.readAttributes(file, "unix:ino,size,lastModifiedTime,ctime,mode");
  }

  private List<byte[]> read() throws IOException {
    if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
      throw new Problem(
          Problem.Code.INVALID_SETTING,
          "other users can read or change the file of API keys `" + file + "`",
          "chmod 600 " + file);
    }
    var keys =
        Files.readAllLines(file).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .map(ApiKeys::digest)
            .toList();
    if (keys.isEmpty()) {
      throw new Problem(
          Problem.Code.INVALID_SETTING,
          "the file of API keys `" + file + "` holds no key",
          "write one key per line into it");
    }
    return keys;
  }

  private Problem unreadable(IOException e) {
    return new Problem(
            Problem.Code.INVALID_SETTING,
            "the file of API keys `" + file + "` cannot be read: " + e.getMessage(),
            "name a file that this user can read, with one key per line")
        .causedBy(e);
  }
}
