package husk.core;

import husk.model.Ids;
import husk.model.Problem;
import husk.sandboxes.Asker;
import husk.sandboxes.SandboxRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Looks for everything Husk needs on this machine, and says what to do about what is missing.
public final class Doctor {
  private static final long ROOM_WANTED = 256L << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// One thing looked at.
  public record Check(String name, boolean ok, String detail, String remedy) {}

  private final Core core;
  private final Caller caller;
  private final List<Check> checks = new ArrayList<>();

  private Doctor(Core core, Caller caller) {
    this.core = core;
    this.caller = caller;
  }

  public static List<Check> examine(Core core, Caller caller) {
    var doctor = new Doctor(core, caller);
    doctor.java();
    doctor.guest();
    doctor.python();
    doctor.program("bash", "shell commands in kernels", "apt-get install bash");
    doctor.program("setsid", "starting processes", "apt-get install util-linux");
    doctor.program("bwrap", "sandboxes", "apt-get install bubblewrap");
    doctor.sandbox();
    doctor.room(core.places().home());
    doctor.room(core.places().runtime());
    return List.copyOf(doctor.checks);
  }

  private void add(String name, boolean ok, String detail, String remedy) {
    checks.add(new Check(name, ok, detail, remedy));
  }

  private void java() {
    int version = Runtime.version().feature();
    add("java", version >= 25, "version " + Runtime.version(), "install a JDK 25");
  }

  private void guest() {
    var launcher = core.places().guest().resolve("zygote.py");
    add(
        "guest",
        Files.isRegularFile(launcher),
        "Husk's Python code in " + core.places().guest(),
        "build or install Husk again");
  }

  private void python() {
    try {
      var wanted = core.settings(caller).settings().python();
      var found = core.environments().find(wanted, caller);
      var versions =
          Command.run(
              PATIENCE,
              List.of(
                  found.executable().toString(),
                  "-c",
                  "import sys, IPython, zmq; print('Python %d.%d.%d' % sys.version_info[:3],"
                      + " 'IPython', IPython.__version__, 'pyzmq', zmq.__version__)"));
      add(
          "python",
          versions.ok(),
          found.executable() + ", " + versions.lastLine(),
          "`husk setup` makes an environment with IPython and pyzmq");
    } catch (RuntimeException e) {
      add("python", false, String.valueOf(e.getMessage()), "`husk setup` makes an environment");
    }
  }

  /// Whether walls can be built here: by building some.
  private void sandbox() {
    try {
      var request = SandboxRequest.named("doctor-" + Ids.fresh().substring(0, 8));
      var info = core.sandboxes().create(request, Asker.NOBODY);
      core.sandboxes().remove(info.name());
      var held = new TreeMap<>(info.limitsHeldBy());
      add("sandbox", true, "bubblewrap works; limits are held by " + held, "");
    } catch (Problem problem) {
      add("sandbox", false, problem.text(), String.join("; or ", problem.remedies()));
    }
  }

  private void program(String name, String purpose, String remedy) {
    var found = onPath(name);
    add(
        name,
        found.isPresent(),
        found.map(path -> path + ", for " + purpose).orElse("not found, needed for " + purpose),
        remedy);
  }

  private static Optional<Path> onPath(String name) {
    for (var entry : System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":")) {
      var candidate = Path.of(entry).resolve(name);
      if (!entry.isBlank() && Files.isExecutable(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private void room(Path folder) {
    try {
      long room = Files.getFileStore(folder).getUsableSpace();
      add(
          "room",
          room >= ROOM_WANTED,
          (room >> 20) + " MiB free in " + folder,
          "free some space there");
    } catch (IOException e) {
      add("room", false, folder + ": " + e.getMessage(), "make it accessible");
    }
  }
}
