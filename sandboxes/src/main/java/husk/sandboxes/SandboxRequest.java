package husk.sandboxes;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What somebody asks of a new sandbox, as it was written.
///
/// @param backend who makes it; `bubblewrap` if absent
/// @param profile `moderate` if absent
/// @param network true or false against the profile
/// @param allow rules of where it may connect to; with any, only there
/// @param deny rules of where it may not
/// @param dir a folder of the host to be seen, and written to, as `/workspace`
/// @param mounts each `SOURCE:TARGET[:ro|:rw]`; read-only unless said
/// @param hidden paths inside that show nothing, though something above them is mounted
/// @param limits by name: memory_mb, cpu_percent, processes, open_files, file_size_mb,
///   workspace_mb, tmp_mb
/// @param ports each `HOST:INSIDE` or `INSIDE`
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
    List<String> hidden,
    Map<String, String> env,
    Map<String, Long> limits,
    List<String> ports,
    Map<String, String> labels,
    Optional<String> description,
    long ttlSeconds,
    int temporarySeconds,
    boolean started) {

  /// The label of sandboxes that were made for one kernel.
  public static final String KERNEL_LABEL = "husk.kernel";

  public SandboxRequest {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
    mounts = List.copyOf(mounts);
    hidden = List.copyOf(hidden);
    env = Map.copyOf(env);
    limits = Map.copyOf(limits);
    ports = List.copyOf(ports);
    labels = Map.copyOf(labels);
  }

  /// The same for a kernel of its own.
  public SandboxRequest forKernel(Optional<String> chosen, String kernelId) {
    return new SandboxRequest(
        name,
        backend,
        chosen,
        network,
        allow,
        deny,
        dir,
        mounts,
        hidden,
        env,
        limits,
        ports,
        Map.of(KERNEL_LABEL, kernelId),
        description,
        ttlSeconds,
        temporarySeconds,
        started);
  }

  /// With rules of a file: for the network, and for what of the host is seen.
  SandboxRequest configured(
      boolean reachable,
      List<String> allowed,
      List<String> denied,
      List<String> seen,
      List<String> unseen) {
    return new SandboxRequest(
        name,
        backend,
        profile,
        Optional.of(reachable),
        allowed,
        denied,
        dir,
        seen,
        unseen,
        env,
        limits,
        ports,
        labels,
        description,
        ttlSeconds,
        temporarySeconds,
        started);
  }

  public SandboxRequest living(long seconds) {
    return new SandboxRequest(
        name,
        backend,
        profile,
        network,
        allow,
        deny,
        dir,
        mounts,
        hidden,
        env,
        limits,
        ports,
        labels,
        description,
        seconds,
        temporarySeconds,
        started);
  }

  public SandboxRequest temporary(int seconds) {
    return new SandboxRequest(
        name,
        backend,
        profile,
        network,
        allow,
        deny,
        dir,
        mounts,
        hidden,
        env,
        limits,
        ports,
        labels,
        description,
        ttlSeconds,
        seconds,
        started);
  }

  public SandboxRequest publishing(List<String> mappings) {
    return new SandboxRequest(
        name,
        backend,
        profile,
        network,
        allow,
        deny,
        dir,
        mounts,
        hidden,
        env,
        limits,
        mappings,
        labels,
        description,
        ttlSeconds,
        temporarySeconds,
        started);
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
        Map.of(),
        Map.of(),
        List.of(),
        Map.of(),
        Optional.empty(),
        0,
        0,
        true);
  }
}
