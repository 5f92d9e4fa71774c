package husk.core;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Every setting, its default and what it means; the one place that lists them.
public enum SettingKey {
  MAX_RETRIES("5", true, "attempts of a retrying execution"),
  EXECUTION_TIMEOUT("60", true, "seconds a cell may run, 0 for ever"),
  KERNEL_IDLE_TIMEOUT("1800", true, "seconds a kernel may idle before it is reaped, 0 for ever"),
  OUTPUT_CHAR_LIMIT("10000", true, "characters kept per field of a result, 0 for all"),
  STORE_BACKEND("file", true, "file (survives restarts) or memory (ends with the process)"),
  REGISTRY_PATH("", true, "the registry's file; HOME/registry.db if empty"),
  RUNTIME_DIR("", true, "connection files and sockets; the user's runtime directory if empty"),
  STARTUP_CODE("", true, "code run after every start of a kernel"),
  KERNEL_TYPE("husk", true, "husk, or the name of a kernelspec such as python3"),
  HOME("", true, "where Husk keeps what lasts; ~/.husk if empty"),
  PYTHON("", false, "an environment's name, a virtual environment's folder or an interpreter"),
  INTERRUPT_GRACE(
      "5", false, "seconds an interrupted cell has to stop before its kernel is killed"),
  DAEMON_IDLE_TIMEOUT("600", false, "seconds the daemon stays when nothing is alive, 0 for ever");

  private final String fallback;
  private final boolean alsoKernelBox;
  private final String meaning;

  SettingKey(String fallback, boolean alsoKernelBox, String meaning) {
    this.fallback = fallback;
    this.alsoKernelBox = alsoKernelBox;
    this.meaning = meaning;
  }

  /// As written in `husk.toml`.
  public String fileName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The environment variables that set it, the first one present winning.
  public List<String> variables() {
    return alsoKernelBox
        ? List.of("HUSK_" + name(), "KERNELBOX_" + name())
        : List.of("HUSK_" + name());
  }

  public String fallback() {
    return fallback;
  }

  public String meaning() {
    return meaning;
  }

  /// Where things are decides which daemon answers, so only the environment can say it.
  boolean onlyFromEnvironment() {
    return this == HOME || this == REGISTRY_PATH || this == RUNTIME_DIR || this == STORE_BACKEND;
  }

  static Optional<SettingKey> byFileName(String name) {
    return Arrays.stream(values()).filter(key -> key.fileName().equals(name)).findFirst();
  }
}
