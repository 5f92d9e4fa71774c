package husk.backends.agents;

import husk.spi.ProcessStat;
import husk.spi.SandboxProcess;
import java.util.Optional;

/// Looks processes up in `/proc`.
public final class FirstProcess {
  private FirstProcess() {}

  /// A process by its number, with what tells it from a later one of the same number.
  public static Optional<SandboxProcess> of(long pid) {
    return ProcessStat.of(pid).map(stat -> new SandboxProcess(pid, stat.startTime()));
  }

  /// Whether it is there and has not ended; a zombie has.
  public static boolean alive(SandboxProcess process) {
    return ProcessStat.of(process.pid())
        .filter(stat -> stat.startTime() == process.startTime())
        .filter(stat -> !stat.zombie())
        .isPresent();
  }
}
