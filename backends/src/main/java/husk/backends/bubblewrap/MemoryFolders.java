package husk.backends.bubblewrap;

import husk.spi.Limits;
import java.util.Map;
import java.util.TreeMap;

/// The folders that are memory, and how large each may become.
///
/// What is in them counts as the sandbox's memory and is nobody's whom the kernel could kill for
/// it. So all of them together get less than the sandbox has: whoever fills them is told that the
/// disk is full, and there is memory left to go on with.
final class MemoryFolders {
  /// Which part of the memory each may take at most.
  private static final Map<String, Integer> PARTS =
      Map.of("/tmp", 2, "/dev/shm", 8, "/var/tmp", 8, "/run", 16);

  private static final int ROOT_PART = 16;

  private MemoryFolders() {}

  /// Bytes for what is in no other folder.
  static long root(Limits limits) {
    return Math.min(asked(limits), memory(limits) / ROOT_PART);
  }

  /// Bytes by folder.
  static Map<String, Long> of(Limits limits) {
    var folders = new TreeMap<String, Long>();
    PARTS.forEach(
        (folder, part) -> folders.put(folder, Math.min(asked(limits), memory(limits) / part)));
    return folders;
  }

  private static long asked(Limits limits) {
    return Math.max(1, limits.tmpMb()) << 20;
  }

  private static long memory(Limits limits) {
    return limits.memoryMb() > 0 ? limits.memoryMb() << 20 : Long.MAX_VALUE;
  }
}
