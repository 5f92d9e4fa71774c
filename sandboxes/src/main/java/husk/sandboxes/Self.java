package husk.sandboxes;

import husk.spi.ProcessStat;

/// This process, as a row names whoever starts a sandbox.
final class Self {
  static final long PID = ProcessHandle.current().pid();
  static final long START_TIME = startTime(PID);

  private Self() {}

  /// When a process started, in the kernel's ticks; 0 when there is none, or it has ended and its
  /// parent has not noticed.
  static long startTime(long pid) {
    return ProcessStat.of(pid)
        .filter(stat -> !stat.zombie())
        .map(ProcessStat::startTime)
        .orElse(0L);
  }
}
