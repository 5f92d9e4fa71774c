package husk;

import husk.wire.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a new sandbox is to be, written down step by step. What is not said is as the profile has
/// it.
///
/// {@snippet class="husk.examples.InASandbox" region="options"}
public final class SandboxOptions {
  private final Optional<String> name;
  private Optional<String> backend = Optional.empty();
  private Optional<String> profile = Optional.empty();
  private Optional<Boolean> network = Optional.empty();
  private final List<String> allow = new ArrayList<>();
  private final List<String> deny = new ArrayList<>();
  private Optional<String> directory = Optional.empty();
  private final List<String> mounts = new ArrayList<>();
  private final Map<String, String> env = new LinkedHashMap<>();
  private final Map<String, Long> limits = new LinkedHashMap<>();
  private final List<String> ports = new ArrayList<>();
  private final Map<String, String> labels = new LinkedHashMap<>();
  private Optional<String> description = Optional.empty();
  private Duration life = Duration.ZERO;
  private boolean started = true;

  private SandboxOptions(Optional<String> name) {
    this.name = name;
  }

  /// A sandbox that stays until it is removed.
  public static SandboxOptions named(String name) {
    return new SandboxOptions(Optional.of(name));
  }

  /// A sandbox for this program alone, removed when it is closed.
  public static SandboxOptions unnamed() {
    return new SandboxOptions(Optional.empty());
  }

  /// Who makes it: `bubblewrap`, or `host` for no walls at all.
  public SandboxOptions backend(String chosen) {
    backend = Optional.of(chosen);
    return this;
  }

  /// What it may do: `permissive`, `moderate` or `restrictive`.
  public SandboxOptions profile(String chosen) {
    profile = Optional.of(chosen);
    return this;
  }

  /// Whether anything can be reached at all.
  public SandboxOptions network(boolean wanted) {
    network = Optional.of(wanted);
    return this;
  }

  /// Where it may connect to, such as `*.example.org:443`; with any such rule, only there.
  public SandboxOptions allow(String... rules) {
    allow.addAll(List.of(rules));
    return this;
  }

  /// Where it may not connect to.
  public SandboxOptions deny(String... rules) {
    deny.addAll(List.of(rules));
    return this;
  }

  /// A folder of the host that it sees, and writes to, as `/workspace`.
  public SandboxOptions directory(java.nio.file.Path folder) {
    directory = Optional.of(folder.toAbsolutePath().normalize().toString());
    return this;
  }

  /// Something of the host that it sees at `target`.
  public SandboxOptions mount(java.nio.file.Path source, String target, boolean writable) {
    mounts.add(source.toAbsolutePath().normalize() + ":" + target + (writable ? ":rw" : ":ro"));
    return this;
  }

  /// A variable of everything inside.
  public SandboxOptions env(String variable, String value) {
    env.put(variable, value);
    return this;
  }

  /// One of memory_mb, cpu_percent, processes, open_files, file_size_mb, workspace_mb and tmp_mb.
  public SandboxOptions limit(String limit, long value) {
    limits.put(limit, value);
    return this;
  }

  /// Makes a port inside reachable at a port of the host's loopback; 0 for any that is free.
  public SandboxOptions publish(int host, int inside) {
    ports.add(host + ":" + inside);
    return this;
  }

  public SandboxOptions label(String key, String value) {
    labels.put(key, value);
    return this;
  }

  public SandboxOptions description(String text) {
    description = Optional.of(text);
    return this;
  }

  /// How long it may live before it is removed.
  public SandboxOptions lifetime(Duration limit) {
    life = limit;
    return this;
  }

  /// Only makes it; [Sandbox#start] starts it.
  public SandboxOptions stopped() {
    started = false;
    return this;
  }

  Optional<String> name() {
    return name;
  }

  /// As the daemon takes it.
  Map<String, Object> body() {
    var body = new LinkedHashMap<String, Object>();
    name.ifPresent(value -> body.put("name", value));
    backend.ifPresent(value -> body.put("backend", value));
    profile.ifPresent(value -> body.put("profile", value));
    network.ifPresent(value -> body.put("network", value));
    directory.ifPresent(value -> body.put("dir", value));
    description.ifPresent(value -> body.put("description", value));
    body.put("allow", allow);
    body.put("deny", deny);
    body.put("mounts", mounts);
    body.put("env", env);
    body.put("limits", limits);
    body.put("ports", ports);
    body.put("labels", labels);
    body.put("ttl_seconds", life.toSeconds());
    body.put("started", started);
    return body;
  }

  /// As the core takes it.
  husk.sandboxes.SandboxRequest request() {
    return Json.read(Json.bytes(body()), husk.sandboxes.SandboxRequest.class);
  }
}
