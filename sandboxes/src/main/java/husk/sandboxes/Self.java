package husk.sandboxes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// This process, as a row names whoever starts a sandbox.
final class Self {
  static final long PID = ProcessHandle.current().pid();
  static final long START_TIME = startTime(PID);

  private Self() {}

  /// When a process started, in the kernel's ticks; 0 when there is none.
  static long startTime(long pid) {
    try {
      var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
    } catch (IOException e) {
      return 0;
    }
  }
}
