package husk.gateway;

import husk.HuskOptions;
import husk.model.Problem;
import husk.sandboxes.RuntimeConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Says what a [KernelGateway] is to be like. What is not said has ipybox's defaults.
public final class KernelGatewayBuilder {
  private HuskOptions options = HuskOptions.ofThisProcess();
  private String host = "localhost";
  private int port = 8888;
  private boolean sandbox;
  private Optional<Path> sandboxConfig = Optional.empty();
  private String logLevel = "INFO";
  private boolean logToStderr;
  private Map<String, String> env = Map.of();
  private List<String> keys = List.of();

  KernelGatewayBuilder() {}

  /// Where it listens; `localhost` if nothing is said. Anywhere else it needs a key.
  public KernelGatewayBuilder host(String name) {
    host = name;
    return this;
  }

  /// The port it listens on; 8888 if nothing is said, any that is free if 0.
  public KernelGatewayBuilder port(int number) {
    if (number < 0 || number > 65535) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "`" + number + "` is no port");
    }
    port = number;
    return this;
  }

  /// Whether kernels run in a sandbox.
  public KernelGatewayBuilder sandbox(boolean yes) {
    sandbox = yes;
    return this;
  }

  /// What the sandbox allows.
  public KernelGatewayBuilder sandboxConfig(Path file) {
    sandboxConfig = Optional.of(file);
    return this;
  }

  /// From which level on its log is printed: `DEBUG`, `INFO`, `WARNING`, `ERROR` or `CRITICAL`.
  public KernelGatewayBuilder logLevel(String level) {
    logLevel = level;
    return this;
  }

  /// Whether its log is printed, to this process's standard error.
  public KernelGatewayBuilder logToStderr(boolean yes) {
    logToStderr = yes;
    return this;
  }

  /// The environment variables of its kernels. They get these and the `PATH`, and no others of this
  /// process.
  public KernelGatewayBuilder env(Map<String, String> variables) {
    env = Map.copyOf(variables);
    return this;
  }

  /// Keys, one of which clients must show.
  public KernelGatewayBuilder apiKeys(String... accepted) {
    keys = List.of(accepted);
    return this;
  }

  /// In whose place it is started: where Husk is installed, which Pythons there are, and in which
  /// directory kernels start. This process's, if nothing is said.
  public KernelGatewayBuilder options(HuskOptions changed) {
    options = changed;
    return this;
  }

  /// A gateway that is yet to start.
  public KernelGateway build() {
    return new KernelGateway(this);
  }

  /// A gateway that serves.
  public KernelGateway start() {
    var gateway = build();
    gateway.start();
    return gateway;
  }

  GatewayLog log() {
    return new GatewayLog(logLevel, logToStderr);
  }

  /// Refuses what is not there to be had, rather than to serve without it.
  void refuseSandbox() {
    sandboxFile().ifPresent(file -> RuntimeConfig.read(file, options.directory()));
    if (sandboxConfig.isPresent() && !sandbox) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`sandboxConfig` is `" + sandboxConfig.get() + "`, but no sandbox was asked for",
          "ask for one with `sandbox(true)`");
    }
  }

  /// @param daemon the environment of the gateway's daemon, which its kernels are made by
  Map<String, Object> listener(Map<String, String> daemon) {
    var variables = new TreeMap<>(daemon);
    variables.keySet().removeIf(name -> !name.startsWith("HUSK_"));
    return Map.of(
        "host",
        host,
        "port",
        port,
        "api_keys",
        keys,
        "owner_pid",
        ProcessHandle.current().pid(),
        "client",
        Map.of(
            "cwd",
            options.directory().toString(),
            "environment",
            Map.of("PATH", daemon.getOrDefault("PATH", "/usr/bin:/bin")),
            "variables",
            variables));
  }

  boolean sandboxed() {
    return sandbox;
  }

  /// The rules of the sandboxes.
  Optional<Path> sandboxFile() {
    return sandbox ? sandboxConfig.map(options.directory()::resolve) : Optional.empty();
  }

  HuskOptions options() {
    return options;
  }

  Map<String, String> env() {
    return env;
  }
}
