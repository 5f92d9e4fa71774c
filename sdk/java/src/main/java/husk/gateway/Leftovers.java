package husk.gateway;

import husk.core.Caller;
import husk.core.Core;
import husk.core.Places;
import husk.kernels.Threads;
import husk.local.Locations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Ends what a gateway leaves when it is killed: kernels with all they started, and the processes
/// they are forked from.
final class Leftovers {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 10;

  private Leftovers() {}

  /// Ends every kernel in the registry of a gateway whose daemon is gone.
  static void endKernels(Map<String, String> environment) {
    var at = Locations.of(environment);
    var guest = GatewayProcess.guest(environment);
    var places = new Places(at.home(), at.registry(), false, at.runtime(), at.sockets(), guest);
    // The settings of whoever runs this are not the gateway's.
    try (var core = Core.open(places, Duration.ZERO, Caller.UNKNOWN)) {
      core.destroyAll();
    }
  }

  /// Ends the processes that name the gateway's home in their command line, and waits until they
  /// are gone.
  static void sweep(Path home) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (var left = naming(home); !left.isEmpty(); left = naming(home)) {
      left.forEach(ProcessHandle::destroyForcibly);
      if (System.nanoTime() > deadline) {
        return;
      }
      Threads.sleep(PAUSE_MILLIS);
    }
  }

  private static List<ProcessHandle> naming(Path home) {
    var inside = home + "/";
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .filter(process -> arguments(process).anyMatch(it -> it.startsWith(inside)))
        .toList();
  }

  private static Stream<String> arguments(ProcessHandle process) {
    return process.info().arguments().stream().flatMap(Arrays::stream);
  }
}
