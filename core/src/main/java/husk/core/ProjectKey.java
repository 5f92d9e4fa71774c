package husk.core;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every key that is read from the tables of a project's file; [ProjectFile] reads no other, and
/// [TableBearings] has to say of each what it may do.
enum ProjectKey {
  NAME("sandbox", "name"),
  BACKEND("sandbox", "backend"),
  RUNTIME("sandbox", "runtime"),
  MOUNTS("sandbox", "mounts"),
  LABELS("sandbox", "labels"),
  DESCRIPTION("sandbox", "description"),
  TTL("sandbox", "ttl"),
  VCPUS("resources", "vcpus"),
  MEMORY_MB("resources", "memory_mb"),
  CPU_PERCENT("resources", "cpu_percent"),
  PROCESSES("resources", "processes"),
  OPEN_FILES("resources", "open_files"),
  FILE_SIZE_MB("resources", "file_size_mb"),
  WORKSPACE_MB("resources", "workspace_mb"),
  TMP_MB("resources", "tmp_mb"),
  PORTS("network", "ports"),
  PROFILE("security", "profile"),
  NETWORK("security", "network"),
  MOUNT_CWD("security", "mount_cwd"),
  MOUNT_HOME("security", "mount_home"),
  PASS_ENV("security", "pass_env"),
  READ_ONLY("security", "read_only"),
  SECCOMP("security", "seccomp"),
  TRANSPORT("security", "transport"),
  ALLOWED_DOMAINS("security.domains", "allow"),
  BLOCKED_DOMAINS("security.domains", "block"),
  ONLY_ALLOWED_DOMAINS("security.domains", "allowlist_only"),
  ALLOWED_COMMANDS("security.commands", "allow"),
  BLOCKED_COMMANDS("security.commands", "block"),
  ONLY_ALLOWED_COMMANDS("security.commands", "allowlist_only"),
  ENVIRONMENT("environment", ""),
  FILES("files", ""),
  SECRETS("secrets", "");

  /// Tables that are about other things (images, agents, builds), of which nothing is read here.
  private static final Set<String> UNREAD =
      Set.of(
          "agent",
          "build",
          "template",
          "orchestrator",
          "llm_keys",
          "proxy",
          "api",
          "enterprise",
          "ssh",
          "ports");

  private final String table;
  private final String key;

  /// @param key empty for a table that is read as a whole
  ProjectKey(String table, String key) {
    this.table = table;
    this.key = key;
  }

  /// As it is written with its table: `security.profile`.
  String spelled() {
    return key.isEmpty() ? table : table + "." + key;
  }

  List<String> path() {
    return List.of(spelled().split("\\."));
  }

  /// The tables that may stand in `husk.toml` beside the settings.
  static Set<String> tables() {
    return Stream.concat(
            UNREAD.stream(), Arrays.stream(values()).map(known -> known.path().getFirst()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /// What may stand in a table, tables within it included.
  static Set<String> within(String table) {
    return Arrays.stream(values())
        .map(ProjectKey::spelled)
        .filter(name -> name.startsWith(table + "."))
        .map(name -> name.substring(table.length() + 1).split("\\.", 2)[0])
        .collect(Collectors.toUnmodifiableSet());
  }
}
