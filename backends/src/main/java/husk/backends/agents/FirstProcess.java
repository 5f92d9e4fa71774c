package husk.backends.agents;

import husk.spi.SandboxProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Looks processes up in `/proc`.
public final class FirstProcess {
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int START_TIME = 19;

  private FirstProcess() {}

  /// A process by its number, with what tells it from a later one of the same number.
  public static Optional<SandboxProcess> of(long pid) {
    return stat(pid).map(stat -> new SandboxProcess(pid, Long.parseLong(stat.get(START_TIME))));
  }

  /// Whether it is there and has not ended; a zombie has.
  public static boolean alive(SandboxProcess process) {
    return stat(process.pid())
        .filter(stat -> Long.parseLong(stat.get(START_TIME)) == process.startTime())
        .filter(stat -> !stat.get(STATE).equals("Z") && !stat.get(STATE).equals("X"))
        .isPresent();
  }

  /// Whoever watches over it: bubblewrap, which ends after it.
  static Optional<SandboxProcess> parent(SandboxProcess process) {
    return stat(process.pid())
        .map(stat -> Long.parseLong(stat.get(PARENT)))
        .filter(pid -> pid > 1 && pid != ProcessHandle.current().pid())
        .flatMap(FirstProcess::of);
  }

  /// The fields after the name, which may hold anything.
  private static Optional<List<String>> stat(long pid) {
    try {
      var text =
          Files.readString(
              Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
      return Optional.of(List.of(text.substring(text.lastIndexOf(')') + 2).split(" ")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
