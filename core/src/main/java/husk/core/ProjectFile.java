package husk.core;

import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import husk.spi.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/// What a project says of its sandboxes: the tables of `husk.toml` or `agentkernel.toml`.
///
/// A request's own words win over the file's. What the file asks for and a sandbox here cannot do
/// is refused; tables about other things (images, agents, builds) are left to others.
final class ProjectFile {
  /// The tables that may stand in `husk.toml` beside the settings.
  static final Set<String> TABLES =
      Set.of(
          "sandbox",
          "agent",
          "resources",
          "network",
          "security",
          "build",
          "files",
          "environment",
          "template",
          "orchestrator",
          "secrets",
          "llm_keys",
          "proxy",
          "api",
          "enterprise",
          "ssh",
          "ports");

  private static final List<String> LIMITS =
      List.of(
          "memory_mb",
          "cpu_percent",
          "processes",
          "open_files",
          "file_size_mb",
          "workspace_mb",
          "tmp_mb");

  private static final TomlMapper TOML = new TomlMapper();

  private final Path folder;
  private final JsonNode tree;

  private ProjectFile(Path folder, JsonNode tree) {
    this.folder = folder;
    this.tree = tree;
  }

  /// The file that was named, or the one in the caller's directory; empty when there is none.
  static Optional<ProjectFile> find(Optional<String> named, Caller caller) {
    var cwd = Path.of(caller.cwd().orElse("/"));
    if (named.isPresent()) {
      return Optional.of(read(cwd.resolve(named.get())));
    }
    return Stream.of("husk.toml", "agentkernel.toml")
        .map(cwd::resolve)
        .filter(Files::isRegularFile)
        .map(ProjectFile::read)
        .findFirst();
  }

  private static ProjectFile read(Path file) {
    try {
      var parent = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("/"));
      return new ProjectFile(parent, TOML.readTree(Files.readAllBytes(file)));
    } catch (IOException | JacksonException e) {
      throw new Problem(
              Problem.Code.INVALID_SETTING, "cannot read `" + file + "`: " + e.getMessage())
          .causedBy(e);
    }
  }

  /// The request, with what the file says where it says nothing itself.
  SandboxRequest complete(SandboxRequest asked) {
    refuseSecrets();
    ProjectKeys.check(tree);
    var security = tree.path("security");
    return new SandboxRequest(
        asked.name().or(() -> asked.temporarySeconds() > 0 ? Optional.empty() : name()),
        asked.backend().or(() -> text(tree.path("sandbox"), "backend")),
        asked.profile().or(() -> text(security, "profile")),
        asked.network().or(() -> flag(security, "network")),
        asked.allow().isEmpty() ? allowed(security.path("domains")) : asked.allow(),
        asked.deny().isEmpty() ? rules(security.path("domains").path("block")) : asked.deny(),
        asked.dir().or(() -> mounted(security)),
        asked.mounts().isEmpty() ? words(tree.path("sandbox").path("mounts")) : asked.mounts(),
        asked.tools(),
        asked.hidden(),
        merged(strings(tree.path("environment")), asked.env()),
        merged(limits(), asked.limits()),
        asked.ports().isEmpty() ? words(tree.path("network").path("ports")) : asked.ports(),
        merged(strings(tree.path("sandbox").path("labels")), asked.labels()),
        asked.description().or(() -> text(tree.path("sandbox"), "description")),
        asked.commands().or(() -> commands(security.path("commands"))),
        asked.ttlSeconds() > 0 || asked.temporarySeconds() > 0 ? asked.ttlSeconds() : ttl(),
        asked.temporarySeconds(),
        asked.started());
  }

  /// There a secret is bound to a host, and put into requests to it on their way out. Here nothing
  /// opens what a sandbox sends, so the secret would have to be inside, where it must not be.
  private void refuseSecrets() {
    if (!tree.path("secrets").isEmpty()) {
      throw new Problem(
          Problem.Code.CAPABILITY_MISSING,
          "the project's file has `secrets` that are bound to hosts, which cannot be kept here",
          "leave the table out, or name another file with `--config`",
          "to let code inside see a value, pass it on by name: `--env KEY`");
    }
  }

  /// A list of allowed programs without `allowlist_only` allows what is allowed anyway.
  private static Optional<Commands> commands(JsonNode table) {
    boolean only = table.path("allowlist_only").asBoolean(false);
    var allowed = only ? words(table.path("allow")) : List.<String>of();
    var denied = words(table.path("block"));
    return only || !denied.isEmpty()
        ? Optional.of(new Commands(only, allowed, denied))
        : Optional.empty();
  }

  /// The language the project says it is written in.
  Optional<String> runtime() {
    return text(tree.path("sandbox"), "runtime");
  }

  private Optional<String> name() {
    return text(tree.path("sandbox"), "name");
  }

  /// With a list of allowed domains alone, everything else is refused.
  private static List<String> allowed(JsonNode domains) {
    return domains.path("allowlist_only").asBoolean(false)
        ? rules(domains.path("allow"))
        : List.of();
  }

  /// There `*.x` means x itself as well.
  private static List<String> rules(JsonNode list) {
    var rules = new ArrayList<String>();
    list.valueStream()
        .map(node -> node.asString(""))
        .forEach(
            rule -> {
              rules.add(rule);
              if (rule.startsWith("*.")) {
                rules.add(rule.substring(2));
              }
            });
    return rules;
  }

  private Optional<String> mounted(JsonNode security) {
    return flag(security, "mount_cwd").filter(yes -> yes).map(_ -> folder.toString());
  }

  private Map<String, Long> limits() {
    var limits = new HashMap<String, Long>();
    var resources = tree.path("resources");
    if (resources.has("vcpus")) {
      limits.put("cpu_percent", Math.round(100 * resources.path("vcpus").asDouble(1)));
    }
    for (var name : LIMITS) {
      if (resources.has(name)) {
        limits.put(name, resources.path(name).asLong(0));
      }
    }
    return limits;
  }

  private static List<String> words(JsonNode list) {
    return list.valueStream().map(node -> node.asString("")).toList();
  }

  /// As it is exported: seconds, perhaps with their unit.
  private long ttl() {
    var text = text(tree.path("sandbox"), "ttl").orElse("0").replaceFirst("s$", "");
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new Problem(
          Problem.Code.INVALID_SETTING,
          "`ttl` is `" + text + "`, but must be a number of seconds such as \"3600s\"");
    }
  }

  /// A file of the project that is to be there inside.
  record Copied(Path source, String target, int mode) {}

  List<Copied> files() {
    return tree.path("files")
        .valueStream()
        .map(
            file ->
                new Copied(
                    folder.resolve(file.path("source").asString("")),
                    file.path("dest").asString(""),
                    Integer.parseInt(file.path("mode").asString("0644"), 8)))
        .toList();
  }

  private static Optional<String> text(JsonNode table, String key) {
    return table.has(key) ? Optional.of(table.path(key).asString("")) : Optional.empty();
  }

  private static Optional<Boolean> flag(JsonNode table, String key) {
    return table.has(key) ? Optional.of(table.path(key).asBoolean(false)) : Optional.empty();
  }

  private static Map<String, String> strings(JsonNode table) {
    var map = new HashMap<String, String>();
    table.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue().asString("")));
    return map;
  }

  private static <T> Map<String, T> merged(Map<String, T> below, Map<String, T> above) {
    var all = new HashMap<>(below);
    all.putAll(above);
    return all;
  }
}
