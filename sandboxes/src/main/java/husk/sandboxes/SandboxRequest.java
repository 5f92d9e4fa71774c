package husk.sandboxes;

import husk.spi.Commands;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// What somebody asks of a new sandbox, as it was written.
///
/// @param backend who makes it; `bubblewrap` if absent
/// @param profile `moderate` if absent
/// @param network true or false against the profile
/// @param allow rules of where it may connect to; with any, only there
/// @param deny rules of where it may not
/// @param dir a folder of the host to be seen, and written to, as `/workspace`
/// @param mounts each `SOURCE:TARGET[:ro|:rw]`; read-only unless said
/// @param tools the same for what Husk itself brings along: programs of a language
/// @param hidden paths inside that show nothing, though something above them is mounted
/// @param limits by name: memory_mb, cpu_percent, processes, open_files, file_size_mb,
///   workspace_mb, tmp_mb
/// @param ports each `HOST:INSIDE` or `INSIDE`
/// @param commands which programs of the machine are there; all if absent
/// @param ttlSeconds after which it is removed; 0 for never
/// @param temporarySeconds when not 0, it ends with its last command
/// @param started whether it is to be started at once
public record SandboxRequest(
    Optional<String> name,
    Optional<String> backend,
    Optional<String> profile,
    Optional<Boolean> network,
    List<String> allow,
    List<String> deny,
    Optional<String> dir,
    List<String> mounts,
    List<String> tools,
    List<String> hidden,
    Map<String, String> env,
    Map<String, Long> limits,
    List<String> ports,
    Map<String, String> labels,
    Optional<String> description,
    Optional<Commands> commands,
    long ttlSeconds,
    int temporarySeconds,
    boolean started) {

  /// The label of sandboxes that were made for one kernel.
  public static final String KERNEL_LABEL = "husk.kernel";

  public SandboxRequest {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
    mounts = List.copyOf(mounts);
    tools = List.copyOf(tools);
    hidden = List.copyOf(hidden);
    env = Map.copyOf(env);
    limits = Map.copyOf(limits);
    ports = List.copyOf(ports);
    labels = Map.copyOf(labels);
  }

  /// The same for a kernel of its own.
  public SandboxRequest forKernel(Optional<String> chosen, String kernelId) {
    return changed(
        draft -> {
          draft.profile = chosen;
          draft.labels = Map.of(KERNEL_LABEL, kernelId);
        });
  }

  /// With rules of a file: for the network, and for what of the host is seen.
  SandboxRequest configured(
      boolean reachable,
      List<String> allowed,
      List<String> denied,
      List<String> seen,
      List<String> unseen) {
    return changed(
        draft -> {
          draft.network = Optional.of(reachable);
          draft.allow = allowed;
          draft.deny = denied;
          draft.mounts = seen;
          draft.hidden = unseen;
        });
  }

  /// With tools of the host to be seen, and variables where it sets none itself.
  public SandboxRequest equipped(List<String> more, Map<String, String> variables) {
    return changed(
        draft -> {
          draft.tools = Stream.concat(tools.stream(), more.stream()).distinct().toList();
          draft.env = new HashMap<>(variables);
          draft.env.putAll(env);
        });
  }

  public SandboxRequest under(String chosen) {
    return changed(draft -> draft.profile = Optional.of(chosen));
  }

  public SandboxRequest on(String chosen) {
    return changed(draft -> draft.backend = Optional.of(chosen));
  }

  /// With a folder of the host as `/workspace`.
  public SandboxRequest inFolder(String folder) {
    return changed(draft -> draft.dir = Optional.of(folder));
  }

  public SandboxRequest showing(List<String> chosen) {
    return changed(draft -> draft.mounts = chosen);
  }

  public SandboxRequest living(long seconds) {
    return changed(draft -> draft.ttlSeconds = seconds);
  }

  public SandboxRequest temporary(int seconds) {
    return changed(draft -> draft.temporarySeconds = seconds);
  }

  public SandboxRequest publishing(List<String> mappings) {
    return changed(draft -> draft.ports = mappings);
  }

  public SandboxRequest limitedTo(Map<String, Long> limits) {
    return changed(draft -> draft.limits = limits);
  }

  private SandboxRequest changed(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.request();
  }

  /// A copy in which one thing can be changed without repeating the others.
  private static final class Draft {
    private final SandboxRequest from;
    private Optional<String> backend;
    private Optional<String> profile;
    private Optional<Boolean> network;
    private List<String> allow;
    private List<String> deny;
    private Optional<String> dir;
    private List<String> mounts;
    private List<String> tools;
    private List<String> hidden;
    private Map<String, String> env;
    private Map<String, Long> limits;
    private List<String> ports;
    private Map<String, String> labels;
    private long ttlSeconds;
    private int temporarySeconds;

    private Draft(SandboxRequest from) {
      this.from = from;
      this.backend = from.backend;
      this.profile = from.profile;
      this.network = from.network;
      this.allow = from.allow;
      this.deny = from.deny;
      this.dir = from.dir;
      this.mounts = from.mounts;
      this.tools = from.tools;
      this.hidden = from.hidden;
      this.env = from.env;
      this.limits = from.limits;
      this.ports = from.ports;
      this.labels = from.labels;
      this.ttlSeconds = from.ttlSeconds;
      this.temporarySeconds = from.temporarySeconds;
    }

    private SandboxRequest request() {
      return new SandboxRequest(
          from.name,
          backend,
          profile,
          network,
          allow,
          deny,
          dir,
          mounts,
          tools,
          hidden,
          env,
          limits,
          ports,
          labels,
          from.description,
          from.commands,
          ttlSeconds,
          temporarySeconds,
          from.started);
    }
  }

  /// A sandbox of this name, with everything as usual.
  public static SandboxRequest named(String name) {
    return new SandboxRequest(
        Optional.of(name),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        Map.of(),
        List.of(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        true);
  }
}
