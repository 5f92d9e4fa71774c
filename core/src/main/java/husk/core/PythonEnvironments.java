package husk.core;

import husk.kernels.Interpreter;
import husk.kernels.PrivateFiles;
import husk.model.Problem;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The Pythons that kernels can run on: environments Husk made and knows by name, virtual
/// environments and interpreters given by their path.
public final class PythonEnvironments {
  /// The environment used when none is asked for.
  public static final String DEFAULT = "default";

  private static final String RECORD = "environment.json";

  private final Path folder;
  private final Doings doings;

  PythonEnvironments(Path folder, Doings doings) {
    this.folder = folder;
    this.doings = doings;
  }

  /// An environment made by Husk.
  ///
  /// @param name what it is asked for by
  /// @param executable its interpreter
  /// @param from the interpreter it was made from
  /// @param requirements what was installed into it
  /// @param preload modules its warm parent imports beforehand
  public record Made(
      String name, Path executable, String from, List<String> requirements, List<String> preload) {}

  /// An interpreter that was found.
  record Found(Interpreter interpreter) {
    Path executable() {
      return interpreter.executable();
    }

    /// Lets `python`, `pip` and friends on the kernel's path be the kernel's own.
    void addTo(Map<String, String> env) {
      var bin = executable().getParent();
      if (bin == null) {
        return;
      }
      env.merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
      var prefix = bin.getParent();
      if (prefix != null && Files.exists(prefix.resolve("pyvenv.cfg"))) {
        env.put("VIRTUAL_ENV", prefix.toString());
      }
    }
  }

  Found find(Optional<String> wanted, Caller caller) {
    return new Found(
        wanted.map(python -> named(python, caller)).orElseGet(() -> interpreter(defaultOne())));
  }

  /// The same, but nothing is made: empty when there is none yet.
  Optional<Found> existing(Optional<String> wanted, Caller caller) {
    return wanted.isPresent() || read(DEFAULT).isPresent()
        ? Optional.of(find(wanted, caller))
        : Optional.empty();
  }

  private Interpreter named(String python, Caller caller) {
    var made = read(python);
    if (made.isPresent()) {
      return interpreter(made.get());
    }
    if (!python.contains("/")) {
      return onPath(python, caller);
    }
    var path = Path.of(caller.cwd().orElse("/")).resolve(expandHome(python)).normalize();
    var executable = Files.isDirectory(path) ? path.resolve("bin/python") : path;
    if (!Files.isExecutable(executable)) {
      throw unknown(python);
    }
    return new Interpreter(executable, List.of());
  }

  private Interpreter onPath(String command, Caller caller) {
    var path = caller.environment().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    for (var entry : path.split(":")) {
      var candidate = Path.of(entry).resolve(command);
      if (!entry.isBlank() && command.startsWith("python") && Files.isExecutable(candidate)) {
        return new Interpreter(candidate, List.of());
      }
    }
    throw unknown(command);
  }

  private static String expandHome(String path) {
    return path.startsWith("~/") ? System.getProperty("user.home") + path.substring(1) : path;
  }

  private Problem unknown(String python) {
    var names = list().stream().map(Made::name).toList();
    var known = "known environments: " + (names.isEmpty() ? "none" : String.join(", ", names));
    return new Problem(
        Problem.Code.ENVIRONMENT_NOT_FOUND,
        "there is no Python `" + python + "`",
        python.contains("/")
            ? List.of(known, "give a virtual environment's folder or an interpreter that exists")
            : List.of(known, "make one with `husk python add " + python + "`"));
  }

  private static Interpreter interpreter(Made made) {
    return new Interpreter(made.executable(), made.preload());
  }

  /// Makes the default environment if there is none yet.
  private synchronized Made defaultOne() {
    return read(DEFAULT)
        .orElseGet(
            () -> add(DEFAULT, Optional.empty(), List.of(), List.of(), Caller.self(), _ -> {}));
  }

  /// Whether Husk made an environment of this name.
  boolean knows(String name) {
    return isMade(folder, name);
  }

  /// The same in a folder of such.
  static boolean isMade(Path folder, String name) {
    return read(folder, name).isPresent();
  }

  /// Those that Husk made, by name.
  public List<Made> list() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .sorted()
          .flatMap(entry -> read(entry.getFileName().toString()).stream())
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /// Makes an environment, or makes it anew.
  public synchronized Made add(
      String name,
      Optional<String> from,
      List<String> requirements,
      List<String> preload,
      Caller caller,
      Consumer<String> progress) {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw new Problem(
          Problem.Code.INVALID_NAME,
          "`" + name + "` cannot be an environment's name",
          "use up to 64 letters, digits, dots, dashes and underscores");
    }
    try (var doing = doings.begin("making the Python environment `" + name + "`")) {
      var target = folder.resolve(name);
      PrivateFiles.directory(folder);
      var made =
          new EnvironmentMaker(target, progress.andThen(step -> doing.now(step + ", once")))
              .make(name, from, requirements, preload, caller);
      PrivateFiles.write(target.resolve(RECORD), Json.pretty(made));
      return made;
    }
  }

  /// Deletes an environment that Husk made; kernels that run on it keep running.
  public boolean remove(String name) {
    if (read(name).isEmpty()) {
      return false;
    }
    PrivateFiles.delete(folder.resolve(name));
    return true;
  }

  /// Where their kernelspecs may be.
  List<Path> prefixes() {
    var prefixes = new ArrayList<Path>();
    for (var made : list()) {
      prefixes.add(folder.resolve(made.name()));
    }
    return prefixes;
  }

  private Optional<Made> read(String name) {
    return read(folder, name);
  }

  private static Optional<Made> read(Path folder, String name) {
    if (name.contains("/") || name.startsWith(".")) {
      return Optional.empty();
    }
    var file = folder.resolve(name).resolve(RECORD);
    try {
      return Files.isRegularFile(file)
          ? Optional.of(Json.read(Files.readAllBytes(file), Made.class))
          : Optional.empty();
    } catch (IOException | Problem unreadable) {
      return Optional.empty();
    }
  }
}
