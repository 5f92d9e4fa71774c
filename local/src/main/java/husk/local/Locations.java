package husk.local;

import husk.model.Problem;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Where this user's Husk keeps its files and sockets. Client and daemon come to the same answer
/// from the same environment, and two different homes never meet in one daemon.
///
/// @param home data that lasts
/// @param registry the file of the registry
/// @param store how the registry is kept
/// @param runtime files that last as long as the login: lock, log, connection files
/// @param sockets where sockets are; apart from `runtime` only where its path is too long for them
/// @param guarded the folders that must belong to this user alone, outer ones first
/// @param user the user's number
public record Locations(
    Path home,
    Path registry,
    Store store,
    Path runtime,
    Path sockets,
    List<Path> guarded,
    int user) {

  /// How the registry is kept.
  public enum Store {
    FILE,
    MEMORY;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Each setting under its name here and under those of the tools that came before.
  private static final String[] HOME = {"HUSK_HOME", "KERNELBOX_HOME", "AGENTKERNEL_HOME"};

  private static final String[] REGISTRY = {"HUSK_REGISTRY_PATH", "KERNELBOX_REGISTRY_PATH"};
  private static final String[] STORE = {"HUSK_STORE_BACKEND", "KERNELBOX_STORE_BACKEND"};
  private static final String[] RUNTIME = {"HUSK_RUNTIME_DIR", "KERNELBOX_RUNTIME_DIR"};

  /// A socket's path ends up in 108 bytes at most (`sun_path`); some room is left.
  private static final int LONGEST_SOCKET = 100;

  /// The longest path below `sockets`: a kernel's folder, its id, a socket.
  private static final int BELOW = "/k/".length() + 32 + "/s-5".length();

  public Locations {
    guarded = List.copyOf(guarded);
  }

  public static Locations of(Map<String, String> environment) {
    return of(environment, Folders.user(), Path.of("/tmp"));
  }

  static Locations of(Map<String, String> environment, int user, Path shared) {
    Path standard = path("HOME", home(environment)).resolve(".husk");
    Path home = path(environment, HOME, standard);
    Path standardRegistry = home.resolve("registry.db");
    Path registry = path(environment, REGISTRY, standardRegistry);
    Store store = store(environment);
    Path own = shared.resolve("husk-" + user);
    Path base = base(environment, user, own);
    boolean ordinary =
        home.equals(standard) && registry.equals(standardRegistry) && store == Store.FILE;
    Path runtime =
        path(
            environment,
            RUNTIME,
            ordinary ? base : base.resolve(digest(home + "|" + registry + "|" + store.wireName())));
    Path sockets = fits(runtime) ? runtime : own.resolve(digest(runtime.toString()));

    var guarded = new ArrayList<Path>();
    for (Path folder : List.of(base, own)) {
      if (runtime.startsWith(folder) || sockets.startsWith(folder)) {
        add(guarded, folder);
      }
    }
    add(guarded, runtime);
    add(guarded, sockets);
    return new Locations(home, registry, store, runtime, sockets, guarded, user);
  }

  /// The socket the daemon listens on.
  public Path socket() {
    return sockets.resolve("daemon.sock");
  }

  /// What the daemon prints.
  public Path log() {
    return runtime.resolve("daemon.log");
  }

  /// Held by whoever is starting the daemon.
  public Path startLock() {
    return runtime.resolve("start.lock");
  }

  /// What the daemon leaves for whoever calls next to be told, once.
  Path notice() {
    return runtime.resolve("notice");
  }

  /// What the daemon is doing while it has not answered yet; there only if that takes its time.
  public Path doing() {
    return runtime.resolve("doing");
  }

  /// Makes the folders, and refuses those that are not this user's alone.
  public void prepare() {
    guardHome();
    Folders.create(home);
    guardHome();
    for (Path folder : guarded) {
      Folders.create(folder);
      Folders.guard(folder, user);
    }
  }

  /// Whether every guarded folder is there; refuses those that are not this user's alone.
  boolean guard() {
    guardHome();
    for (Path folder : guarded) {
      if (!Folders.guard(folder, user)) {
        return false;
      }
    }
    return true;
  }

  private void guardHome() {
    var guard = new HomeGuard(user);
    guard.check(home);
    if (!registry.startsWith(home)) {
      guard.checkWay(registry);
    }
  }

  /// The variables that decide about paths, with absolute values, for a process that runs
  /// elsewhere.
  static void makeAbsolute(Map<String, String> environment) {
    for (String[] names : List.of(HOME, REGISTRY, RUNTIME)) {
      for (String name : names) {
        var value = environment.get(name);
        if (value != null && !value.isBlank()) {
          environment.put(name, path(name, value).toString());
        }
      }
    }
  }

  private static Path base(Map<String, String> environment, int user, Path own) {
    var given = environment.get("XDG_RUNTIME_DIR");
    if (given == null || !given.startsWith("/")) {
      return own;
    }
    Path runtime = path("XDG_RUNTIME_DIR", given);
    return Folders.ownedBy(runtime, user) ? runtime.resolve("husk") : own;
  }

  private static boolean fits(Path runtime) {
    return runtime.toString().getBytes(StandardCharsets.UTF_8).length + BELOW <= LONGEST_SOCKET;
  }

  private static void add(List<Path> folders, Path folder) {
    if (!folders.contains(folder)) {
      folders.add(folder);
    }
  }

  private static String home(Map<String, String> environment) {
    var home = environment.get("HOME");
    return home == null || home.isBlank() ? System.getProperty("user.home", "/") : home;
  }

  private static Store store(Map<String, String> environment) {
    var name = first(environment, STORE);
    if (name.isEmpty()) {
      return Store.FILE;
    }
    var value = environment.getOrDefault(name.get(), "");
    return switch (value) {
      case "file" -> Store.FILE;
      case "memory" -> Store.MEMORY;
      default ->
          throw new Problem(
              Problem.Code.INVALID_SETTING,
              name.get() + " is `" + value + "`, which is no way to keep the registry",
              "use `file` (survives restarts) or `memory`");
    };
  }

  private static Path path(Map<String, String> environment, String[] names, Path otherwise) {
    var name = first(environment, names);
    return name.isPresent()
        ? path(name.get(), environment.getOrDefault(name.get(), ""))
        : otherwise;
  }

  private static Path path(String name, String value) {
    try {
      return Path.of(value).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new Problem(
              Problem.Code.INVALID_SETTING, name + " is `" + value + "`, which is not a path")
          .causedBy(e);
    }
  }

  private static Optional<String> first(Map<String, String> environment, String[] names) {
    for (String name : names) {
      var value = environment.get(name);
      if (value != null && !value.isBlank()) {
        return Optional.of(name);
      }
    }
    return Optional.empty();
  }

  private static String digest(String text) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256");
      byte[] hash = sha256.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
