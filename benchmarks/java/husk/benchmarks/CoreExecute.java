package husk.benchmarks;

import husk.core.Caller;
import husk.core.Core;
import husk.core.Places;
import husk.local.Locations;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.KernelOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// `1+1` on a live kernel, with Husk's core in this process.
public final class CoreExecute {
  private CoreExecute() {}

  public static void main(String[] arguments) throws IOException {
    var locations = Locations.of(System.getenv());
    locations.prepare();
    var places =
        new Places(
            locations.home(),
            locations.registry(),
            false,
            locations.runtime(),
            locations.sockets(),
            Path.of(System.getProperty("husk.dist")).resolve("guest/python"));
    var caller = Caller.self();
    try (var core = Core.open(places)) {
      var kernel = core.getOrCreate("live", KernelOptions.NONE, caller).kernelId();
      try {
        Service.serve(
            () ->
                core.execute(
                    kernel,
                    ExecuteRequest.of("1+1"),
                    Optional.empty(),
                    caller,
                    ExecutionEvent.Listener.NONE));
      } finally {
        core.destroyAll();
      }
    }
    System.exit(0); // threads that still read from kernels must not keep the process
  }
}
