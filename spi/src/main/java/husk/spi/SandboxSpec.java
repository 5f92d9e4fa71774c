package husk.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Everything that decides what a sandbox is; two of equal specifications are interchangeable as
/// long as nobody has used them.
///
/// @param backend who makes it
/// @param profile what it was derived from
/// @param network whether there is a way out at all, by its proxy
/// @param egress where that way leads; may change while it runs
/// @param mounts what of the host is seen inside
/// @param hidden paths inside that show nothing, whatever is mounted above them
/// @param env variables that every command gets
/// @param limits how much it may use
/// @param readOnly whether only the workspace and `/tmp` can be written to
/// @param ports published on the host's loopback
/// @param temporarySeconds when not zero, it ends with the command it was made for, or if none
///   comes within these seconds
public record SandboxSpec(
    String backend,
    Profile profile,
    boolean network,
    Egress egress,
    List<Mount> mounts,
    List<Path> hidden,
    Map<String, String> env,
    Limits limits,
    boolean readOnly,
    List<PortMapping> ports,
    int temporarySeconds) {

  public SandboxSpec {
    mounts = List.copyOf(mounts);
    hidden = List.copyOf(hidden);
    env = Map.copyOf(env);
    ports = List.copyOf(ports);
  }

  /// What a profile gives that nobody adds anything to.
  public static SandboxSpec of(String backend, Profile profile) {
    return new SandboxSpec(
        backend,
        profile,
        profile.network(),
        profile.network() ? Egress.OPEN : Egress.NONE,
        List.of(),
        List.of(),
        Map.of(),
        profile.limits(),
        profile.readOnly(),
        List.of(),
        0);
  }

  public SandboxSpec withEgress(Egress egress) {
    return new SandboxSpec(
        backend,
        profile,
        network,
        egress,
        mounts,
        hidden,
        env,
        limits,
        readOnly,
        ports,
        temporarySeconds);
  }

  public SandboxSpec withoutNetwork() {
    return new SandboxSpec(
        backend,
        profile,
        false,
        Egress.NONE,
        mounts,
        hidden,
        env,
        limits,
        readOnly,
        ports,
        temporarySeconds);
  }

  public SandboxSpec withMounts(List<Mount> mounts) {
    return new SandboxSpec(
        backend,
        profile,
        network,
        egress,
        mounts,
        hidden,
        env,
        limits,
        readOnly,
        ports,
        temporarySeconds);
  }

  public SandboxSpec hiding(List<Path> hidden) {
    return new SandboxSpec(
        backend,
        profile,
        network,
        egress,
        mounts,
        hidden,
        env,
        limits,
        readOnly,
        ports,
        temporarySeconds);
  }

  public SandboxSpec withEnv(Map<String, String> env) {
    return new SandboxSpec(
        backend,
        profile,
        network,
        egress,
        mounts,
        hidden,
        env,
        limits,
        readOnly,
        ports,
        temporarySeconds);
  }

  public SandboxSpec withLimits(Limits limits) {
    return new SandboxSpec(
        backend,
        profile,
        network,
        egress,
        mounts,
        hidden,
        env,
        limits,
        readOnly,
        ports,
        temporarySeconds);
  }

  public SandboxSpec withPorts(List<PortMapping> ports) {
    return new SandboxSpec(
        backend,
        profile,
        network,
        egress,
        mounts,
        hidden,
        env,
        limits,
        readOnly,
        ports,
        temporarySeconds);
  }

  public SandboxSpec temporary(int seconds) {
    return new SandboxSpec(
        backend, profile, network, egress, mounts, hidden, env, limits, readOnly, ports, seconds);
  }
}
