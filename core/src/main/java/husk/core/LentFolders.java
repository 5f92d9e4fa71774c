package husk.core;

import husk.core.trust.TrustStore;
import husk.model.Problem;
import husk.sandboxes.Asker;
import husk.sandboxes.Lending;
import husk.sandboxes.SandboxInfo;
import husk.sandboxes.SandboxRequest;
import husk.spi.Mount;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which folders of the server callers over TCP may have in sandboxes: those below a prefix that
/// was opened, by their real paths, and those that the server gives by itself.
///
/// A folder that code in some sandbox could exchange for a link is not lent: between the look at it
/// and its mounting it might become another.
final class LentFolders {
  private static final SandboxRequest NOTHING = SandboxRequest.named("any");

  private final Core core;
  private final List<Path> prefixes;
  private final Caller server;
  private final TrustStore trust;

  LentFolders(Core core, List<Path> prefixes, Caller server) {
    this.core = core;
    this.prefixes = prefixes;
    this.server = server;
    this.trust = new TrustStore(core.places().home());
  }

  /// What the server's own project gives whoever asks for nothing.
  SandboxRequest usual() {
    return ProjectFile.find(Optional.empty(), server)
        .map(file -> file.complete(NOTHING, trust))
        .orElse(NOTHING);
  }

  /// For a request's own words. What is not even named below a prefix is refused without a look at
  /// it: whether it exists is nobody's business.
  void require(SandboxRequest asked) {
    asked.dir().ifPresent(folder -> requireNamed("dir", folder));
    Lending.sources(asked).forEach(source -> requireNamed("mounts", source));
    for (var mount : core.sandboxes().lent(asked, asker())) {
      requireBelow(mount.source(), asked.mounts().isEmpty() ? "dir" : "mounts");
      requireSettled(mount.source(), "");
    }
  }

  /// For a file that the server is asked to read.
  void requireReadable(String config) {
    requireNamed("config", config);
    requireBelow(real(at(config)).orElse(at(config)), "config");
  }

  private void requireNamed(String field, String path) {
    var named = at(path);
    if (prefixes.stream()
        .noneMatch(
            prefix ->
                named.startsWith(prefix) || real(prefix).filter(named::startsWith).isPresent())) {
      throw closed(field, path);
    }
  }

  private void requireBelow(Path path, String field) {
    if (!isBelow(path)) {
      throw closed(field, path.toString());
    }
  }

  private boolean isBelow(Path path) {
    return prefixes.stream().flatMap(prefix -> real(prefix).stream()).anyMatch(path::startsWith);
  }

  /// Whether what a sandbox shows may be seen by callers.
  void requireUsable(String what, SandboxSpec spec) {
    var foreign = spec.lent().stream().filter(path -> !isBelow(path)).toList();
    if (foreign.isEmpty()) {
      return;
    }
    var usual = core.sandboxes().lent(usual(), asker()).stream().map(Mount::source).toList();
    foreign.stream()
        .filter(path -> !usual.contains(path))
        .findFirst()
        .ifPresent(
            path -> {
              throw Closed.thing(what, "shows `" + path + "` of the server", Closed.MOUNT);
            });
  }

  /// Whether what a sandbox shows is still where it was when that was allowed.
  void requireUnmoved(String what, SandboxInfo sandbox) {
    for (var path : sandbox.spec().lent()) {
      if (!real(path).filter(path::equals).isPresent()) {
        throw Closed.thing(what, "shows `" + path + "`, which leads elsewhere now", Closed.MOUNT);
      }
      requireSettled(path, sandbox.id());
    }
  }

  private void requireSettled(Path path, String sandboxId) {
    core.sandboxes().list(Map.of()).stream()
        .filter(other -> other.running() && !other.id().equals(sandboxId))
        .filter(other -> mayExchange(other.spec(), path))
        .findFirst()
        .ifPresent(
            other -> {
              throw new Problem(
                  Problem.Code.NOT_OPEN_OVER_TCP,
                  "`%s` cannot be lent now: code in sandbox `%s` could exchange it for a link"
                      .formatted(path, other.name()),
                  "stop or remove that sandbox first, or lend the whole folder that it has");
            });
  }

  private static boolean mayExchange(SandboxSpec spec, Path path) {
    return spec.mounts().stream()
        .anyMatch(
            mount ->
                mount.writable()
                    && path.startsWith(mount.source())
                    && !path.equals(mount.source()));
  }

  private Asker asker() {
    return new Asker(server.cwd().map(Path::of), server.environment());
  }

  private Path at(String path) {
    try {
      var expanded =
          path.startsWith("~/") ? System.getProperty("user.home", "/") + path.substring(1) : path;
      return Path.of(server.cwd().orElse("/")).resolve(expanded).normalize();
    } catch (InvalidPathException e) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "`" + path + "` is not a path").causedBy(e);
    }
  }

  private static Optional<Path> real(Path path) {
    try {
      return Optional.of(path.toRealPath());
    } catch (IOException missing) {
      return Optional.empty();
    }
  }

  private static Problem closed(String field, String path) {
    return Closed.field(
        field, path, "it is none of the folders that were opened to them", Closed.MOUNT);
  }
}
