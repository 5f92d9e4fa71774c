package husk.core;

import husk.core.trust.ProjectText;
import husk.core.trust.TrustStore;
import husk.core.trust.Widening;
import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import husk.spi.Commands;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/// What a project says of its sandboxes: the tables of `husk.toml` or `agentkernel.toml`.
///
/// A request's own words win over the file's. What the file asks for and a sandbox here cannot do
/// is refused, and so is what is wider than what its user would get without it, unless the user has
/// trusted this very content. Tables about other things (images, agents, builds) are left to
/// others.
final class ProjectFile {
  /// Each by the name it has where limits are asked for; a later one wins.
  private static final Map<ProjectKey, String> LIMITS = limitNames();

  private static final TomlMapper TOML = new TomlMapper();

  private final ProjectText source;
  private final JsonNode tree;

  private ProjectFile(ProjectText source, JsonNode tree) {
    this.source = source;
    this.tree = tree;
  }

  /// The file that was named, or the one in the caller's directory; empty when there is none.
  static Optional<ProjectFile> find(Optional<String> named, Caller caller) {
    var cwd = Path.of(caller.cwd().orElse("/"));
    if (named.isPresent()) {
      return Optional.of(of(ProjectText.require(cwd.resolve(named.get()))));
    }
    return ProjectText.NAMES.stream()
        .map(cwd::resolve)
        .flatMap(file -> ProjectText.find(file).stream())
        .map(ProjectFile::of)
        .findFirst();
  }

  static ProjectFile of(ProjectText source) {
    try {
      return new ProjectFile(source, TOML.readTree(source.text()));
    } catch (JacksonException e) {
      throw new Problem(
              Problem.Code.INVALID_SETTING,
              "cannot read `" + source.location() + "`: " + e.getMessage())
          .causedBy(e);
    }
  }

  /// The request, with what the file says where it says nothing itself.
  SandboxRequest complete(SandboxRequest asked, TrustStore trust) {
    var wider = widenings(asked);
    if (!wider.isEmpty() && !trust.accepts(source)) {
      throw Untrusted.problem(source, wider, trust);
    }
    return new SandboxRequest(
        asked.name().or(() -> asked.temporarySeconds() > 0 ? Optional.empty() : name()),
        asked.backend().or(this::backend),
        asked.profile().or(this::profile),
        asked.network().or(this::network),
        asked.allow().isEmpty() ? allowed() : asked.allow(),
        asked.deny().isEmpty() ? rules(at(ProjectKey.BLOCKED_DOMAINS)) : asked.deny(),
        asked.dir().or(this::mounted),
        asked.mounts().isEmpty() ? mounts() : asked.mounts(),
        asked.tools(),
        asked.hidden(),
        merged(variables(), asked.env()),
        merged(limits(), asked.limits()),
        asked.ports().isEmpty() ? ports() : asked.ports(),
        merged(strings(at(ProjectKey.LABELS)), asked.labels()),
        asked.description().or(() -> text(ProjectKey.DESCRIPTION)),
        asked.commands().or(this::commands),
        asked.ttlSeconds() > 0 || asked.temporarySeconds() > 0 ? asked.ttlSeconds() : ttl(),
        asked.temporarySeconds(),
        asked.started());
  }

  /// What it would open beyond what the request gives without it; what cannot be honoured at all is
  /// refused.
  List<Widening> widenings(SandboxRequest asked) {
    refuseSecrets();
    ProjectKeys.check(tree);
    return TableBearings.widenings(this, Ground.of(asked));
  }

  private Path folder() {
    return Optional.ofNullable(source.location().getParent()).orElse(Path.of("/"));
  }

  private JsonNode at(ProjectKey key) {
    var node = tree;
    for (var name : key.path()) {
      node = node.path(name);
    }
    return node;
  }

  /// There a secret is bound to a host, and put into requests to it on their way out. Here nothing
  /// opens what a sandbox sends, so the secret would have to be inside, where it must not be.
  private void refuseSecrets() {
    if (!at(ProjectKey.SECRETS).isEmpty()) {
      throw new Problem(
          Problem.Code.CAPABILITY_MISSING,
          "the project's file has `secrets` that are bound to hosts, which cannot be kept here",
          "leave the table out, or name another file with `--config`",
          "to let code inside see a value, pass it on by name: `--env KEY`");
    }
  }

  /// A list of allowed programs without `allowlist_only` allows what is allowed anyway.
  private Optional<Commands> commands() {
    boolean only = at(ProjectKey.ONLY_ALLOWED_COMMANDS).asBoolean(false);
    var allowed = only ? words(ProjectKey.ALLOWED_COMMANDS) : List.<String>of();
    var denied = words(ProjectKey.BLOCKED_COMMANDS);
    return only || !denied.isEmpty()
        ? Optional.of(new Commands(only, allowed, denied))
        : Optional.empty();
  }

  /// The language the project says it is written in.
  Optional<String> runtime() {
    return text(ProjectKey.RUNTIME);
  }

  private Optional<String> name() {
    return text(ProjectKey.NAME);
  }

  Optional<String> backend() {
    return text(ProjectKey.BACKEND);
  }

  Optional<String> profile() {
    return text(ProjectKey.PROFILE);
  }

  Optional<Boolean> network() {
    return flag(ProjectKey.NETWORK);
  }

  /// With a list of allowed domains alone, everything else is refused.
  List<String> allowed() {
    return at(ProjectKey.ONLY_ALLOWED_DOMAINS).asBoolean(false)
        ? rules(at(ProjectKey.ALLOWED_DOMAINS))
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

  Optional<String> mounted() {
    return flag(ProjectKey.MOUNT_CWD).filter(yes -> yes).map(_ -> folder().toString());
  }

  List<String> mounts() {
    return words(ProjectKey.MOUNTS);
  }

  List<String> ports() {
    return words(ProjectKey.PORTS);
  }

  Map<String, String> variables() {
    return strings(at(ProjectKey.ENVIRONMENT));
  }

  private static Map<ProjectKey, String> limitNames() {
    var names = new EnumMap<ProjectKey, String>(ProjectKey.class);
    names.put(ProjectKey.VCPUS, "cpu_percent");
    names.put(ProjectKey.MEMORY_MB, "memory_mb");
    names.put(ProjectKey.CPU_PERCENT, "cpu_percent");
    names.put(ProjectKey.PROCESSES, "processes");
    names.put(ProjectKey.OPEN_FILES, "open_files");
    names.put(ProjectKey.FILE_SIZE_MB, "file_size_mb");
    names.put(ProjectKey.WORKSPACE_MB, "workspace_mb");
    names.put(ProjectKey.TMP_MB, "tmp_mb");
    return names;
  }

  private Map<String, Long> limits() {
    var limits = new HashMap<String, Long>();
    LIMITS.forEach((key, name) -> limit(key).ifPresent(limit -> limits.put(name, limit)));
    return limits;
  }

  /// A limit as it takes effect; `vcpus` in percent of one.
  Optional<Long> limit(ProjectKey key) {
    var given = at(key);
    if (given.isMissingNode()) {
      return Optional.empty();
    }
    return Optional.of(
        key == ProjectKey.VCPUS ? Math.round(100 * given.asDouble(1)) : given.asLong(0));
  }

  private List<String> words(ProjectKey key) {
    return at(key).valueStream().map(node -> node.asString("")).toList();
  }

  /// As it is exported: seconds, perhaps with their unit.
  private long ttl() {
    var text = text(ProjectKey.TTL).orElse("0").replaceFirst("s$", "");
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
    return at(ProjectKey.FILES)
        .valueStream()
        .map(
            file ->
                new Copied(
                    folder().resolve(file.path("source").asString("")),
                    file.path("dest").asString(""),
                    mode(file.path("mode").asString("0644"))))
        .toList();
  }

  private static int mode(String text) {
    if (!text.matches("[0-7]{3,4}")) {
      throw new Problem(
          Problem.Code.INVALID_SETTING,
          "a file's `mode` is `" + text + "`, but must be three or four digits such as \"0644\"");
    }
    return Integer.parseInt(text, 8);
  }

  private Optional<String> text(ProjectKey key) {
    return Optional.of(at(key)).filter(node -> !node.isMissingNode()).map(it -> it.asString(""));
  }

  private Optional<Boolean> flag(ProjectKey key) {
    return Optional.of(at(key))
        .filter(node -> !node.isMissingNode())
        .map(it -> it.asBoolean(false));
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
