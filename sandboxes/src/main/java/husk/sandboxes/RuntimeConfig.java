package husk.sandboxes;

import husk.model.Problem;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The file that ipybox's sandboxes are configured with (sandbox-runtime's settings), as what a
/// sandbox here is asked for.
///
/// Whatever is unknown, missing, or cannot be held is refused.
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
    isBoolean(tree, "enableWeakerNestedSandbox", "allowPty");
    isBoolean(section("network"), "allowLocalBinding", "allowAllUnixSockets");
    isBoolean(section("filesystem"), "allowGitConfig");
    checkFiles();
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
    if (text.isEmpty() || text.matches(".*[*?\\[:].*")) {
      throw invalid("`" + text + "` is no plain path: patterns cannot be held");
    }
    var home = System.getProperty("user.home", "/");
    var expanded = text.equals("~") || text.startsWith("~/") ? home + text.substring(1) : text;
    return directory.resolve(expanded).normalize();
  }

  private void isBoolean(JsonNode section, String... keys) {
    for (var key : keys) {
      if (section.has(key) && !section.path(key).isBoolean()) {
        throw invalid("`" + key + "` must be true or false");
      }
    }
  }

  private void checkFiles() {
    for (var path : paths("allowWrite")) {
      if (Files.notExists(path)) {
        throw invalid("`allowWrite` names `" + path + "`, which does not exist: make it first");
      }
    }
    var rules = rules();
    for (var path : rules.writable()) {
      if (rules.denyRead().contains(path)
          || rules.denyWrite().stream().anyMatch(path::startsWith)) {
        throw invalid("`" + path + "` is to be written and denied at once");
      }
    }
    requireReadable(rules);
    rules
        .loose(
            Stream.of(paths("denyWrite"), paths("denyRead"), List.of(file)).flatMap(List::stream))
        .forEach(
            (path, link) -> {
              throw invalid(
                  "`%s` cannot be guarded: `%s` is a link that code inside may replace"
                      .formatted(path, link));
            });
  }

  /// Whoever may not read where it starts cannot start; a writable folder is an exception.
  private void requireReadable(FileRules rules) {
    var start = RealPaths.of(directory);
    rules.denyRead().stream()
        .filter(start::startsWith)
        .filter(
            denied ->
                rules.writable().stream()
                    .noneMatch(path -> start.startsWith(path) && path.startsWith(denied)))
        .findFirst()
        .ifPresent(
            denied -> {
              throw invalid(
                  "`denyRead` names `%s`, and code starts in `%s`".formatted(denied, directory));
            });
  }

  private FileRules rules() {
    int depth = tree.path("mandatoryDenySearchDepth").asInt(3);
    if (tree.has("mandatoryDenySearchDepth") && (depth < 1 || depth > 10)) {
      throw invalid("`mandatoryDenySearchDepth` is from 1 to 10");
    }
    boolean git = section("filesystem").path("allowGitConfig").asBoolean(false);
    return new FileRules(
        directory,
        real("allowWrite"),
        real("denyRead"),
        guarded(),
        new ProtectedNames(depth, !git));
  }

  /// This very file is among it: code inside must not loosen its own rules.
  private Set<Path> guarded() {
    return Stream.concat(real("denyWrite").stream(), Stream.of(RealPaths.of(file)))
        .collect(Collectors.toUnmodifiableSet());
  }

  private Set<Path> real(String key) {
    return paths(key).stream().map(RealPaths::of).collect(Collectors.toUnmodifiableSet());
  }

  /// The request as the file wants it.
  public SandboxRequest apply(SandboxRequest asked) {
    var domains = words(section("network"), "network.", "allowedDomains");
    var rules = rules();
    return asked.configured(
        !domains.isEmpty(),
        domains,
        domains.isEmpty() ? List.of() : words(section("network"), "network.", "deniedDomains"),
        rules.mounts(),
        rules.hidden());
  }

  private Problem invalid(String why) {
    return new Problem(
        Problem.Code.INVALID_SETTING,
        "the sandbox configuration `" + file + "` cannot be honoured: " + why,
        "correct the file; nothing was started");
  }
}
