package husk.sandboxes;

import husk.model.Problem;
import husk.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The file that ipybox's sandboxes are configured with (sandbox-runtime's settings), as what a
/// sandbox here is asked for.
///
/// There the whole machine can be read unless it is denied; here only the directory can, beside
/// what may be written. Whatever is unknown, missing, or cannot be held is refused.
public final class RuntimeConfig {
  private static final Set<String> KEYS =
      Set.of(
          "network",
          "filesystem",
          "ignoreViolations",
          "enableWeakerNestedSandbox",
          "ripgrep",
          "mandatoryDenySearchDepth",
          "allowPty");
  private static final Set<String> NETWORK =
      Set.of(
          "allowedDomains",
          "deniedDomains",
          "allowUnixSockets",
          "allowAllUnixSockets",
          "allowLocalBinding",
          "httpProxyPort",
          "socksProxyPort");
  private static final Set<String> FILES =
      Set.of("denyRead", "allowWrite", "denyWrite", "allowGitConfig");

  /// What nobody may change even where writing is allowed: others run it.
  private static final Set<Path> PROTECTED =
      Set.of(
          Path.of(".gitconfig"),
          Path.of(".gitmodules"),
          Path.of(".bashrc"),
          Path.of(".bash_profile"),
          Path.of(".zshrc"),
          Path.of(".zprofile"),
          Path.of(".profile"),
          Path.of(".ripgreprc"),
          Path.of(".mcp.json"),
          Path.of(".vscode"),
          Path.of(".idea"),
          Path.of(".claude/commands"),
          Path.of(".claude/agents"),
          Path.of(".git/hooks"));

  private final Path file;
  private final Path directory;
  private final JsonNode tree;

  private RuntimeConfig(Path file, Path directory, JsonNode tree) {
    this.file = file;
    this.directory = directory;
    this.tree = tree;
  }

  /// Reads it, and refuses what is wrong with it.
  ///
  /// @param directory where code starts, and what relative paths are relative to
  public static RuntimeConfig read(Path file, Path directory) {
    try {
      var config = new RuntimeConfig(file, directory, Json.tree(Files.readAllBytes(file)));
      config.check();
      return config;
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.INVALID_SETTING,
              "the sandbox configuration `" + file + "` cannot be read: " + e.getMessage(),
              "name a file that exists")
          .causedBy(e);
    }
  }

  private void check() {
    known(tree, KEYS, "");
    known(section("network"), NETWORK, "network.");
    known(section("filesystem"), FILES, "filesystem.");
    refuseTrue("enableWeakerNestedSandbox");
    if (section("network").path("allowAllUnixSockets").asBoolean(false)
        || !section("network").path("allowUnixSockets").isEmpty()
        || section("network").has("httpProxyPort")
        || section("network").has("socksProxyPort")) {
      throw invalid("sockets of the host and other proxies are not let into a sandbox");
    }
    writable();
    denied("denyWrite");
    denied("denyRead");
    words(section("network"), "network.", "allowedDomains");
    words(section("network"), "network.", "deniedDomains");
  }

  private JsonNode section(String name) {
    if (!tree.path(name).isObject()) {
      throw invalid("`" + name + "` is missing");
    }
    return tree.path(name);
  }

  private void known(JsonNode section, Set<String> keys, String where) {
    if (!section.isObject()) {
      throw invalid("it is no JSON object");
    }
    for (var entry : section.properties()) {
      if (!keys.contains(entry.getKey())) {
        throw invalid("`" + where + entry.getKey() + "` is unknown");
      }
    }
  }

  private void refuseTrue(String key) {
    if (tree.path(key).asBoolean(false)) {
      throw invalid("`" + key + "` would weaken the sandbox");
    }
  }

  private List<String> words(JsonNode section, String where, String key) {
    var list = section.path(key);
    if (!list.isArray() || !list.valueStream().allMatch(JsonNode::isString)) {
      throw invalid("`" + where + key + "` must be a list of texts");
    }
    return list.valueStream().map(node -> node.asString("")).toList();
  }

  private List<Path> paths(String key) {
    return words(section("filesystem"), "filesystem.", key).stream().map(this::path).toList();
  }

  private Path path(String text) {
    if (text.isEmpty() || text.matches(".*[*?\\[].*")) {
      throw invalid("`" + text + "` is no plain path: patterns cannot be held");
    }
    var home = System.getProperty("user.home", "/");
    var expanded = text.equals("~") || text.startsWith("~/") ? home + text.substring(1) : text;
    return directory.resolve(expanded).normalize();
  }

  private List<Path> writable() {
    var paths = paths("allowWrite");
    for (var path : paths) {
      if (Files.notExists(path)) {
        throw invalid("`allowWrite` names `" + path + "`, which does not exist: make it first");
      }
    }
    return paths;
  }

  /// What is denied below what is allowed. A path that is not there cannot be guarded.
  private List<Path> denied(String key) {
    var allowed = paths("allowWrite");
    var denied = paths(key);
    for (var path : denied) {
      if (allowed.contains(path)) {
        throw invalid("`" + path + "` is both in `allowWrite` and in `" + key + "`");
      }
      if (Files.notExists(path) && allowed.stream().anyMatch(path::startsWith)) {
        throw invalid(
            "`"
                + key
                + "` names `"
                + path
                + "`, which does not exist yet and could be made inside");
      }
    }
    return denied;
  }

  /// The request as the file wants it.
  public SandboxRequest apply(SandboxRequest asked) {
    var domains = words(section("network"), "network.", "allowedDomains");
    return asked.configured(
        !domains.isEmpty(),
        domains,
        domains.isEmpty() ? List.of() : words(section("network"), "network.", "deniedDomains"),
        mounts(),
        denied("denyRead").stream().filter(Files::exists).map(Path::toString).toList());
  }

  private List<String> mounts() {
    var writable = writable();
    var mounts = new LinkedHashSet<String>();
    if (writable.stream().noneMatch(directory::startsWith)) {
      mounts.add(mount(directory, "ro"));
    }
    writable.forEach(path -> mounts.add(mount(path, "rw")));
    denied("denyWrite").stream()
        .filter(path -> Files.exists(path) && writable.stream().anyMatch(path::startsWith))
        .forEach(path -> mounts.add(mount(path, "ro")));
    writable.stream()
        .flatMap(path -> guarded(path).stream())
        .forEach(path -> mounts.add(mount(path, "ro")));
    return List.copyOf(mounts);
  }

  private static String mount(Path path, String how) {
    return path + ":" + path + ":" + how;
  }

  private List<Path> guarded(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    int depth = tree.path("mandatoryDenySearchDepth").asInt(3);
    try (var found = Files.walk(folder, depth)) {
      return found.filter(this::isGuarded).collect(ArrayList::new, List::add, List::addAll);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isGuarded(Path path) {
    return PROTECTED.stream().anyMatch(path::endsWith)
        || (path.endsWith(".git/config") && !allowsGitConfig());
  }

  private boolean allowsGitConfig() {
    return section("filesystem").path("allowGitConfig").asBoolean(false);
  }

  private Problem invalid(String why) {
    return new Problem(
        Problem.Code.INVALID_SETTING,
        "the sandbox configuration `" + file + "` cannot be honoured: " + why,
        "correct the file; nothing was started");
  }
}
