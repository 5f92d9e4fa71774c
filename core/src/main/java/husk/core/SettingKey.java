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
  DAEMON_IDLE_TIMEOUT("600", false, "seconds the daemon stays when nothing is alive, 0 for ever"),
  MAX_KERNELS("1024", false, "kernels that may live at once, 0 for any number"),
  BACKEND("bubblewrap", false, "where kernels live: bubblewrap, or host for no sandbox"),
  PROFILE("moderate", false, "what a kernel's sandbox may do: permissive, moderate, restrictive"),
  LIVE_STATE("", false, "whether kernels can be copied: on, off; if empty, unless restrictive"),
  SANDBOX_CONFIG("", false, "a JSON file with the rules of kernels' sandboxes, as ipybox has it"),
  SANDBOX_POOL("4", false, "sandboxes kept ready once the first was asked for, 0 for none"),
  SANDBOX_POOL_AGE("300", false, "seconds after which a ready sandbox is replaced"),
  KERNEL_POOL("2", false, "kernels kept ready once the first was asked for, 0 for none"),
  KERNEL_POOL_AGE("300", false, "seconds after which a ready kernel is replaced"),
  CHECKPOINT_MEMORY("4096", false, "megabytes for the checkpoints of a kernel, 0 for any number"),
  HOST("127.0.0.1", false, "where `husk serve` listens; beyond loopback a key is needed"),
  PORT("8080", false, "the port `husk serve` listens on, 0 for any that is free"),
  API_KEY("", false, "keys that callers of `husk serve` must show, separated by commas"),
  API_KEY_FILE("", false, "a file with one such key per line"),
  TLS("off", false, "on: `husk serve` speaks TLS with a certificate that it makes itself"),
  TLS_CERT("", false, "a certificate chain in PEM for `husk serve`"),
  TLS_KEY("", false, "the certificate's key, in PEM (PKCS #8)"),
  ALLOW_ORIGIN("", false, "origins of web pages that may call `husk serve`, by commas"),
  ALLOW_HOST_BACKEND("off", false, "on: callers of `husk serve` may do without a sandbox"),
  ALLOW_MOUNT("", false, "folders below which they may mount what they like, by commas"),
  ALLOW_PROFILE("", false, "profiles that they may ask for, by commas"),
  ALLOW_PYTHON("off", false, "on: they may name any interpreter of the server"),
  ALLOW_PRIVATE_NETWORK(
      "off", false, "on: their sandboxes may reach addresses that are not public"),
  ALLOW_PUBLISH("off", false, "on: they may choose the ports that they publish"),
  MAX_REQUESTS("512", false, "requests `husk serve` works on at once; more are told to wait"),
  OTLP_ENDPOINT("", false, "where `husk serve` sends traces, such as http://127.0.0.1:4318");

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
    var own = "HUSK_" + name();
    return switch (this) {
      case API_KEY -> List.of(own, "AGENTKERNEL_API_KEY");
      case OTLP_ENDPOINT -> List.of(own, "OTEL_EXPORTER_OTLP_ENDPOINT");
      default -> alsoKernelBox ? List.of(own, "KERNELBOX_" + name()) : List.of(own);
    };
  }

  /// Whether its value must not be shown.
  public boolean secret() {
    return this == API_KEY;
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
