package husk.core;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.model.Language;
import husk.testkit.LeakDetector;
import husk.testkit.StandingProcess;
import husk.testkit.TempHome;
import husk.testkit.TestPython;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A core over a home of its own, with real kernels, for one test.
final class CoreHost implements AutoCloseable {
  final TempHome home = newHome();
  final Places places;
  final Map<String, String> variables = new HashMap<>();
  Core core;

  CoreHost() {
    var root = Path.of(System.getProperty("husk.root", ".."));
    this.places =
        new Places(
            home.path().resolve("home"),
            home.path().resolve("home/registry.db"),
            false,
            home.path().resolve("run"),
            home.path().resolve("run"),
            root.resolve("guest/python").toAbsolutePath().normalize());
    variables.put("HUSK_PYTHON", TestPython.find().toString());
    // What most tests are about does not depend on walls, and is seen better without.
    variables.put("HUSK_BACKEND", "host");
    this.core = Core.open(places, Duration.ZERO);
    StandingProcess.lend(places.sockets());
  }

  Caller caller() {
    return new Caller(Optional.of(home.path().toString()), environment(), variables);
  }

  private static Map<String, String> environment() {
    return husk.kernels.BaseEnvironment.of(System.getenv());
  }

  /// Options that let the leak detector recognise the kernel's processes.
  KernelOptions options() {
    return KernelOptions.NONE.withEnv(Map.of(LeakDetector.VARIABLE, LeakDetector.marker()));
  }

  KernelRecord kernel(String name) {
    return core.getOrCreate(name, options(), caller());
  }

  ExecutionResult run(String kernel, String code) {
    return run(kernel, ExecuteRequest.of(code));
  }

  ExecutionResult bash(String kernel, String code) {
    return run(kernel, ExecuteRequest.of(code).in(Language.BASH));
  }

  ExecutionResult run(String kernel, String code, Duration timeout) {
    return run(kernel, ExecuteRequest.of(code).within(timeout));
  }

  ExecutionResult run(String kernel, ExecuteRequest request) {
    return core.execute(
        kernel, request, Optional.of(options()), caller(), ExecutionEvent.Listener.NONE);
  }

  /// A second core over the same places, as another process would have.
  Core another() {
    return Core.open(places, Duration.ZERO);
  }

  @Override
  public void close() {
    core.destroyAll();
    core.close();
    try {
      home.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TempHome newHome() {
    try {
      return TempHome.create();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
