package husk.core;

import husk.kernels.Interpreter;
import husk.kernels.WarmParents;
import husk.model.KernelPlace;
import husk.model.Problem;
import husk.sandboxes.Asker;
import husk.sandboxes.ReadyHome;
import husk.sandboxes.RuntimeConfig;
import husk.sandboxes.SandboxRequest;
import husk.sandboxes.Sandboxes;
import husk.spi.Mount;
import husk.spi.Sandbox;
import husk.spi.Tenancy;
import husk.wire.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Where kernels live: in a sandbox of their own, in one that they share, or outside.
final class KernelHomes {
  static final String HOST = "host";
  static final Path WORKSPACE = Path.of("/workspace");

  private static final String PACKAGES = "/home/husk/.packages";

  private final Supplier<Sandboxes> sandboxes;
  private final WarmParents parents;
  private final Map<Interpreter, List<Mount>> known = new ConcurrentHashMap<>();

  KernelHomes(Supplier<Sandboxes> sandboxes, WarmParents parents) {
    this.sandboxes = sandboxes;
    this.parents = parents;
  }

  /// The home of a new kernel; empty for one that lives outside. Contradictions are refused.
  static Optional<KernelHome> choose(
      String kernelId, KernelPlace place, Settings settings, Caller caller) {
    if (place.sandbox().isPresent()) {
      requireNoLimits(place, "shares a sandbox has that one's limits", "leave out `--sandbox`");
      if (place.profile().isPresent() || place.backend().filter(HOST::equals).isPresent()) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST,
            "a kernel that shares sandbox `" + place.sandbox().get() + "` cannot choose another",
            "leave out `--backend` and `--profile`, or `--sandbox`");
      }
      return Optional.of(KernelHome.shared(place.sandbox().get()));
    }
    var backend = place.backend().orElse(settings.backend());
    if (backend.equals(HOST)) {
      requireNoProfile(place);
      requireNoLimits(place, "lives outside has none", "use `--backend bubblewrap`");
      return Optional.empty();
    }
    if (!backend.equals("bubblewrap")) {
      throw new Problem(
          Problem.Code.INVALID_SETTING,
          "kernels cannot live in backend `" + backend + "`",
          "use bubblewrap or host");
    }
    var profile = place.profile().or(settings::profile);
    return Optional.of(
        new KernelHome(
            name(kernelId),
            true,
            profile,
            settings.sandboxConfig(),
            settings.sandboxConfig().flatMap(_ -> caller.cwd()),
            Optional.of(place.limits()).filter(limits -> !limits.isEmpty())));
  }

  /// What the sandbox of a kernel's own is called.
  static String name(String kernelId) {
    return "kernel-" + kernelId.substring(0, 12);
  }

  private static void requireNoLimits(KernelPlace place, String why, String instead) {
    if (!place.limits().isEmpty()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "limits of memory, processors or disk are given, and a kernel that " + why,
          instead + ", or the limits");
    }
  }

  /// Refuses limits other than those that a kernel has already: they hold from its beginning.
  static void requireSame(String name, KernelPlace place, Optional<KernelHome> home) {
    var has = home.flatMap(KernelHome::limits).orElse(Map.of());
    for (var asked : place.limits().entrySet()) {
      if (!asked.getValue().equals(has.get(asked.getKey()))) {
        throw new Problem(
            Problem.Code.KERNEL_ALREADY_EXISTS,
            "kernel `"
                + name
                + "` exists, and was not made with "
                + asked.getKey()
                + " = "
                + asked.getValue(),
            "leave the limits out to use it as it is",
            "or destroy it first, with its variables: `husk destroy " + name + "`");
      }
    }
  }

  private static void requireNoProfile(KernelPlace place) {
    if (place.profile().isPresent()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "the backend `host` isolates nothing and cannot honour profile `"
              + place.profile().get()
              + "`",
          "use `--backend bubblewrap`, or leave the profile out");
    }
  }

  /// What a kernel needs to move in; its own sandbox is made, or started again, now.
  ///
  /// @param more what else of the host it must see
  Tenancy enter(String kernelId, KernelHome home, Interpreter interpreter, List<Mount> more) {
    if (home.own()) {
      var running = sandboxes.get().running(home.sandbox()).flatMap(Sandbox::tenancy);
      if (running.isPresent()) {
        return running.get();
      }
    }
    if (home.own() && !exists(home)) {
      make(kernelId, home, interpreter, more);
    }
    if (!home.own()) {
      requirePython(home, interpreter);
    }
    var sandbox = started(home);
    return sandbox
        .tenancy()
        .orElseThrow(
            () ->
                new Problem(
                    Problem.Code.CAPABILITY_MISSING,
                    "kernels cannot live in sandbox `" + home.sandbox() + "`: it has no walls",
                    "use a sandbox of the backend bubblewrap"));
  }

  private void requirePython(KernelHome home, Interpreter interpreter) {
    var seen = sandboxes.get().require(home.sandbox()).spec().mounts();
    if (!seen.containsAll(needed(interpreter))) {
      throw new Problem(
          Problem.Code.CAPABILITY_MISSING,
          "sandbox `" + home.sandbox() + "` was made without Python " + interpreter.executable(),
          "make it anew with HUSK_PYTHON set to that Python",
          "or give the kernel a sandbox of its own: leave out `--sandbox`");
    }
  }

  private boolean exists(KernelHome home) {
    return sandboxes.get().find(home.sandbox()).isPresent();
  }

  private Sandbox started(KernelHome home) {
    if (home.own()) {
      sandboxes.get().start(home.sandbox());
    }
    return sandboxes.get().use(home.sandbox());
  }

  /// What is known of a kernel's sandbox while it runs.
  Optional<Tenancy> tenancy(KernelHome home) {
    try {
      return sandbox(home).tenancy();
    } catch (Problem gone) {
      return Optional.empty();
    }
  }

  /// The running sandbox that a kernel lives in.
  Sandbox sandbox(KernelHome home) {
    return sandboxes.get().use(home.sandbox());
  }

  /// A home of a kernel's own that nobody has asked for yet.
  ReadyHome ready(String kernelId, KernelHome home, Interpreter interpreter) {
    return sandboxes.get().makeReady(request(kernelId, home), needed(interpreter));
  }

  /// It is this kernel's from now on; false when it is gone.
  boolean give(ReadyHome ready, String kernelId, KernelHome home) {
    return sandboxes.get().give(ready, request(kernelId, home));
  }

  void discard(ReadyHome ready) {
    sandboxes.get().discard(ready);
  }

  private static SandboxRequest request(String kernelId, KernelHome home) {
    var plain = SandboxRequest.named(home.sandbox()).forKernel(home.profile(), kernelId);
    return home.limits().map(plain::limitedTo).orElse(plain);
  }

  private void make(String kernelId, KernelHome home, Interpreter interpreter, List<Mount> more) {
    var plain = request(kernelId, home);
    var directory = Path.of(home.directory().orElse("/"));
    var request =
        home.config()
            .map(file -> RuntimeConfig.read(directory.resolve(file), directory).apply(plain))
            .orElse(plain);
    var mounts = Stream.concat(needed(interpreter).stream(), more.stream()).distinct().toList();
    sandboxes.get().create(request, Asker.NOBODY, mounts);
  }

  /// The interpreter and Husk's own code, at the places where they are outside.
  List<Mount> needed(Interpreter interpreter) {
    return known.computeIfAbsent(interpreter, this::ask);
  }

  private List<Mount> ask(Interpreter interpreter) {
    var hello = parents.of(interpreter).hello();
    return Stream.of(Json.MAPPER.treeToValue(hello.path("folders"), String[].class))
        .map(Path::of)
        .filter(folder -> !folder.startsWith("/usr") && Files.isDirectory(folder))
        .map(folder -> new Mount(folder, folder, false))
        .toList();
  }

  /// How many megabytes all of a kernel's processes together may have, if there is a limit.
  Optional<Long> memoryLimit(KernelHome home) {
    return sandboxes
        .get()
        .find(home.sandbox())
        .map(info -> info.spec().limits().memoryMb())
        .filter(megabytes -> megabytes > 0);
  }

  /// Ends what runs in a kernel's own sandbox, and keeps its files.
  void standStill(KernelHome home) {
    if (home.own() && exists(home)) {
      sandboxes.get().stop(home.sandbox());
    }
  }

  /// Removes what was made for a kernel, with everything that runs there; false when nothing was.
  boolean leave(KernelHome home) {
    return home.own() && sandboxes.get().remove(home.sandbox());
  }

  /// The same, also where the registry knows of none.
  void leaveForGood(KernelHome home) {
    if (home.own() && !leave(home)) {
      sandboxes.get().removeUnlisted(home.sandbox());
    }
  }

  /// The interpreter inside is read-only; what is installed at run time goes to the home directory.
  static Map<String, String> packages(String path) {
    return Map.of(
        "PIP_TARGET", PACKAGES, "PYTHONPATH", PACKAGES, "PATH", path + ":" + PACKAGES + "/bin");
  }
}
