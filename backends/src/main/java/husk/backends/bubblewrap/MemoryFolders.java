package husk.backends.bubblewrap;

import husk.spi.Limits;
import java.util.LinkedHashMap;
import java.util.Map;

/// The folders that are memory, and how large each may become.
///
/// What is in them counts as the sandbox's memory and is nobody's whom the kernel could kill for
/// it. So all of them together get less than the sandbox has: whoever fills them is told that the
/// disk is full, and there is memory left to go on with.
final class MemoryFolders {
  private static final String LARGEST = "/tmp";
  private static final String[] SMALLER = {"/dev/shm", "/run", "/var/tmp"};

  private MemoryFolders() {}

  /// Bytes by folder: half of the memory for `/tmp`, an eighth for each of the others.
  static Map<String, Long> of(Limits limits) {
    long asked = Math.max(1, limits.tmpMb()) << 20;
    long memory = limits.memoryMb() > 0 ? limits.memoryMb() << 20 : Long.MAX_VALUE;
    var folders = new LinkedHashMap<String, Long>();
    folders.put(LARGEST, Math.min(asked, memory / 2));
    for (var folder : SMALLER) {
      folders.put(folder, Math.min(asked, memory / 8));
    }
    return folders;
  }
}
