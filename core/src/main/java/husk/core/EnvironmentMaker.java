package husk.core;

import husk.kernels.PrivateFiles;
import husk.model.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Makes a Python environment that kernels can run on: from the package index if it can be reached,
/// otherwise, quickly, from what the system's own packages provide.
final class EnvironmentMaker {
  private static final List<String> NEEDED =
      List.of("ipython", "pyzmq", "comm", "matplotlib-inline");
  private static final String CAN_HOST =
      "import IPython, zmq, sys; assert sys.version_info >= (3, 9)";
  private static final Duration PROBE = Duration.ofSeconds(30);
  private static final Duration INSTALL = Duration.ofMinutes(15);

  private final Path target;
  private final Consumer<String> progress;

  EnvironmentMaker(Path target, Consumer<String> progress) {
    this.target = target;
    this.progress = progress;
  }

  PythonEnvironments.Made make(
      String name,
      Optional<String> from,
      List<String> requirements,
      List<String> preload,
      Caller caller) {
    var reasons = new ArrayList<String>();
    for (var base : candidates(from, caller)) {
      if (fromIndex(base, requirements, reasons) || fromSystem(base, requirements, reasons)) {
        return new PythonEnvironments.Made(
            name, target.resolve("bin/python"), base, requirements, preload);
      }
    }
    PrivateFiles.delete(target);
    throw new Problem(
        Problem.Code.ENVIRONMENT_BROKEN,
        "cannot make the Python environment `" + name + "`: " + String.join("; ", reasons),
        "on Debian: `apt-get install python3-venv python3-pip python3-ipython python3-zmq`",
        "or name a Python that has IPython and pyzmq with --python");
  }

  private static List<String> candidates(Optional<String> from, Caller caller) {
    if (from.isPresent()) {
      return List.of(from.get());
    }
    var found = new LinkedHashSet<String>();
    for (var entry : caller.environment().getOrDefault("PATH", "/usr/bin").split(":")) {
      var python = Path.of(entry.isBlank() ? "/usr/bin" : entry).resolve("python3");
      if (Files.isExecutable(python)) {
        found.add(python.toString());
      }
    }
    found.add("/usr/bin/python3");
    return List.copyOf(found);
  }

  private boolean fromIndex(String base, List<String> requirements, List<String> reasons) {
    PrivateFiles.delete(target);
    progress.accept("making a virtual environment with " + base);
    var venv = Command.run(INSTALL, List.of(base, "-m", "venv", target.toString()));
    if (!venv.ok()) {
      reasons.add(base + " cannot make virtual environments: " + venv.lastLine());
      return false;
    }
    var wanted = new ArrayList<>(NEEDED);
    wanted.addAll(requirements);
    progress.accept("installing " + String.join(", ", wanted));
    var installed = Command.run(INSTALL, pip(wanted));
    if (!installed.ok()) {
      reasons.add("pip: " + installed.lastLine());
    }
    return installed.ok() && canHost();
  }

  /// Short timeouts and no retries: where the index is out of reach, that shows within seconds.
  private List<String> pip(List<String> wanted) {
    var command = new ArrayList<String>();
    command.add(target.resolve("bin/python").toString());
    command.addAll(List.of("-m", "pip", "install", "--quiet", "--disable-pip-version-check"));
    command.addAll(List.of("--retries", "0", "--timeout", "10"));
    command.addAll(wanted);
    return command;
  }

  private boolean fromSystem(String base, List<String> requirements, List<String> reasons) {
    if (!requirements.isEmpty()) {
      return false;
    }
    if (!Command.run(PROBE, List.of(base, "-c", CAN_HOST)).ok()) {
      reasons.add(base + " has no IPython and pyzmq of its own");
      return false;
    }
    progress.accept("using the IPython and pyzmq of " + base);
    PrivateFiles.delete(target);
    var venv =
        Command.run(
            INSTALL,
            List.of(
                base, "-m", "venv", "--system-site-packages", "--without-pip", target.toString()));
    return venv.ok() && canHost();
  }

  private boolean canHost() {
    return Command.run(PROBE, List.of(target.resolve("bin/python").toString(), "-c", CAN_HOST))
        .ok();
  }
}
