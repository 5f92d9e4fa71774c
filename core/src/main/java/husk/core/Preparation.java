package husk.core;

import husk.kernels.BaseEnvironment;
import husk.kernels.ConnectionFiles;
import husk.kernels.KernelSpec;
import husk.kernels.KernelSpecs;
import husk.kernels.Launch;
import husk.kernels.PrivateFiles;
import husk.kernels.ProcessTree;
import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Decides how a new kernel will be: which interpreter, directory, environment and command.
/// Everything that can be refused is refused here, before anything is started.
final class Preparation {
  /// The name of Husk's own Python kernel, beside the kernelspecs.
  static final String OWN = "husk";

  private final Places places;
  private final PythonEnvironments environments;
  private final LiveStateRule liveState;

  Preparation(Places places, PythonEnvironments environments, LiveStateRule liveState) {
    this.places = places;
    this.environments = environments;
    this.liveState = liveState;
  }

  /// @param record the row to claim the name with
  /// @param launch how to start it
  /// @param spec the kernelspec, unless it is Husk's own
  record Prepared(KernelRecord record, StoredLaunch launch, Optional<KernelSpec> spec) {}

  Plan plan(Optional<String> name, KernelOptions options, Settings settings, Caller caller) {
    var kernelType = options.kernel().orElse(settings.kernelType());
    return new Plan(
        name,
        options,
        settings,
        caller,
        kernelType,
        environments.find(options.python().or(settings::python), caller),
        kernelType.equals(OWN) ? Optional.empty() : Optional.of(specs(caller).require(kernelType)));
  }

  /// How a kernel will be, whichever id it gets.
  final class Plan {
    private final Optional<String> name;
    private final KernelOptions options;
    private final Settings settings;
    private final Caller caller;
    private final String kernelType;
    private final PythonEnvironments.Found interpreter;
    private final Optional<KernelSpec> spec;

    private Plan(
        Optional<String> name,
        KernelOptions options,
        Settings settings,
        Caller caller,
        String kernelType,
        PythonEnvironments.Found interpreter,
        Optional<KernelSpec> spec) {
      this.name = name;
      this.options = options;
      this.settings = settings;
      this.caller = caller;
      this.kernelType = kernelType;
      this.interpreter = interpreter;
      this.spec = spec;
    }

    /// Whether nothing about it is anybody's own, so that it may have been started for whoever
    /// comes.
    boolean ordinary() {
      return spec.isEmpty()
          && options.env().isEmpty()
          && options.cwd().isEmpty()
          && KernelVariables.of(caller).isEmpty();
    }

    Prepared as(String kernelId) {
      var home = KernelHomes.choose(kernelId, options.place(), settings, caller);
      var cwd = home.isPresent() ? inside(options, home.get()) : directory(options, caller);
      var env =
          home.isPresent()
              ? insideEnvironment(kernelId, options, caller, interpreter, spec)
              : environment(kernelId, options, caller, interpreter, spec);
      var connectionFile = places.connectionFile(kernelId);
      var argv = spec.map(s -> command(s, home, kernelId)).orElse(List.of());
      var copied = Optional.of(liveState.decide(options.place(), settings, home, spec));
      var launch =
          new Launch(kernelId, connectionFile, places.kernel(kernelId), argv, cwd, env, copied);
      var stored =
          new StoredLaunch(
              launch,
              interpreter.interpreter(),
              spec.map(s -> s.language().toLowerCase(java.util.Locale.ROOT)).orElse("python"),
              spec.map(KernelSpec::interruptMode).orElse("signal"),
              options.startupCode().or(settings::startupCode).filter(code -> !code.isBlank()),
              home,
              Optional.empty(),
              Optional.empty());
      return new Prepared(
          record(kernelId, name, options, settings, kernelType, interpreter, stored, spec),
          stored,
          spec);
    }
  }

  /// Writes the connection file and makes the kernel's folder.
  void writeFiles(Prepared prepared) {
    var launch = prepared.launch().launch();
    var kernelName = prepared.record().kernel();
    if (prepared.launch().home().isPresent()
        || prepared.spec().map(KernelSpec::speaksUnixSockets).orElse(true)) {
      writeFiles(launch, kernelName);
    } else {
      PrivateFiles.directory(launch.directory());
      ConnectionFiles.tcp(launch.connectionFile(), kernelName);
    }
  }

  /// The same for a kernel that speaks over Unix sockets.
  static void writeFiles(Launch launch, String kernelName) {
    PrivateFiles.directory(launch.directory());
    ConnectionFiles.unix(launch.connectionFile(), launch.directory(), kernelName);
  }

  KernelSpecs specs(Caller caller) {
    var variables = new TreeMap<>(System.getenv());
    variables.putAll(caller.environment());
    variables.putAll(caller.variables());
    return new KernelSpecs(variables, environments.prefixes());
  }

  private static KernelRecord record(
      String kernelId,
      Optional<String> name,
      KernelOptions options,
      Settings settings,
      String kernelType,
      PythonEnvironments.Found interpreter,
      StoredLaunch stored,
      Optional<KernelSpec> spec) {
    var launch = stored.launch();
    var now = Instant.now();
    return new KernelRecord(
        kernelId,
        launch.connectionFile(),
        name,
        now,
        now,
        KernelStatus.STARTING,
        options.sessionName().or(() -> name),
        0,
        options.tags(),
        Optional.of(Self.PROCESS),
        stored.home().isPresent() ? "bubblewrap" : KernelHomes.HOST,
        kernelType,
        spec.isEmpty() ? Optional.of(interpreter.executable().toString()) : Optional.empty(),
        launch.cwd(),
        launch.env().keySet().stream().sorted().toList(),
        Optional.empty(),
        options.idleTimeout().orElse(settings.kernelIdleTimeout()),
        Optional.empty(),
        Optional.empty());
  }

  /// What a kernelspec runs; inside, its connection file is another.
  private List<String> command(KernelSpec spec, Optional<KernelHome> home, String kernelId) {
    return home.isPresent()
        ? KernelPrograms.command(
            spec, InnerPorts.connectionFile(kernelId), Optional.ofNullable(System.getenv("PATH")))
        : spec.command(places.connectionFile(kernelId));
  }

  private static Path inside(KernelOptions options, KernelHome home) {
    var start = home.directory().map(Path::of).orElse(KernelHomes.WORKSPACE);
    return options.cwd().map(start::resolve).orElse(start).normalize();
  }

  /// Nothing of the caller's but what was asked for; the sandbox's own variables come at the start.
  private static Map<String, String> insideEnvironment(
      String kernelId,
      KernelOptions options,
      Caller caller,
      PythonEnvironments.Found interpreter,
      Optional<KernelSpec> spec) {
    var env = new TreeMap<String, String>();
    env.put("PATH", "/usr/local/bin:/usr/bin:/bin");
    interpreter.addTo(env);
    env.putAll(KernelHomes.packages(env.getOrDefault("PATH", "")));
    spec.ifPresent(s -> env.putAll(s.env()));
    env.putAll(KernelVariables.of(caller));
    env.putAll(options.env());
    env.put(ProcessTree.MARKER, kernelId);
    checkVariables(env);
    return env;
  }

  private static Path directory(KernelOptions options, Caller caller) {
    var base = Path.of(caller.cwd().orElse("/"));
    var wanted = options.cwd().map(base::resolve).orElse(base).normalize();
    if (!Files.isDirectory(wanted)) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "the directory `" + wanted + "` does not exist",
          "make it, or choose another with --cwd");
    }
    return wanted;
  }

  private static Map<String, String> environment(
      String kernelId,
      KernelOptions options,
      Caller caller,
      PythonEnvironments.Found interpreter,
      Optional<KernelSpec> spec) {
    var env =
        new TreeMap<>(
            BaseEnvironment.of(
                caller.environment().isEmpty() ? System.getenv() : caller.environment()));
    interpreter.addTo(env);
    spec.ifPresent(s -> env.putAll(s.env()));
    env.putAll(KernelVariables.of(caller));
    env.putAll(options.env());
    env.put(ProcessTree.MARKER, kernelId);
    checkVariables(env);
    return env;
  }

  private static void checkVariables(Map<String, String> env) {
    env.forEach(
        (name, value) -> {
          if (name.isEmpty() || name.contains("=") || (name + value).indexOf('\0') >= 0) {
            throw new Problem(
                Problem.Code.INVALID_REQUEST,
                "`" + name.replace("\0", "\\0") + "` cannot be an environment variable",
                "names are not empty and hold no `=`; neither names nor values hold a NUL");
          }
        });
  }
}
