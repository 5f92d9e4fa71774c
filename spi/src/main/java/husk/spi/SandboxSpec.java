package husk.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Everything that decides what a sandbox is; two of equal specifications are interchangeable as
/// long as nobody has used them.
///
/// @param backend who makes it
/// @param profile what it was derived from
/// @param network whether there is a way out at all, by its proxy
/// @param egress where that way leads; may change while it runs
/// @param mounts what of the host is seen inside
/// @param lent which of the mounts' sources somebody asked for; the others Husk brings along itself
/// @param hidden paths inside that show nothing, whatever is mounted above them
/// @param env variables that every command gets
/// @param limits how much it may use
/// @param readOnly whether only the workspace and `/tmp` can be written to
/// @param ports published on the host's loopback
/// @param commands which programs of the machine are there; all if absent
/// @param temporarySeconds when not zero, it ends with the command it was made for, or if none
///   comes within these seconds
public record SandboxSpec(
    String backend,
    Profile profile,
    boolean network,
    Egress egress,
    List<Mount> mounts,
    List<Path> lent,
    List<Path> hidden,
    Map<String, String> env,
    Limits limits,
    boolean readOnly,
    List<PortMapping> ports,
    Optional<Commands> commands,
    int temporarySeconds) {

  public SandboxSpec {
    mounts = List.copyOf(mounts);
    lent = List.copyOf(lent);
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
        List.of(),
        Map.of(),
        profile.limits(),
        profile.readOnly(),
        List.of(),
        Optional.empty(),
        0);
  }

  /// With a way out that leads there.
  public SandboxSpec withNetwork(Egress way) {
    return changed(
        draft -> {
          draft.network = true;
          draft.egress = way;
        });
  }

  public SandboxSpec withEgress(Egress changed) {
    return changed(draft -> draft.egress = changed);
  }

  public SandboxSpec withoutNetwork() {
    return changed(
        draft -> {
          draft.network = false;
          draft.egress = Egress.NONE;
        });
  }

  public SandboxSpec withMounts(List<Mount> changed) {
    return changed(draft -> draft.mounts = changed);
  }

  public SandboxSpec lending(List<Path> changed) {
    return changed(draft -> draft.lent = changed);
  }

  public SandboxSpec hiding(List<Path> changed) {
    return changed(draft -> draft.hidden = changed);
  }

  public SandboxSpec withEnv(Map<String, String> changed) {
    return changed(draft -> draft.env = changed);
  }

  public SandboxSpec withLimits(Limits changed) {
    return changed(draft -> draft.limits = changed);
  }

  public SandboxSpec withPorts(List<PortMapping> changed) {
    return changed(draft -> draft.ports = changed);
  }

  public SandboxSpec withCommands(Optional<Commands> changed) {
    return changed(draft -> draft.commands = changed);
  }

  public SandboxSpec temporary(int seconds) {
    return changed(draft -> draft.temporarySeconds = seconds);
  }

  private SandboxSpec changed(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.spec();
  }

  /// A copy in which one thing can be changed without repeating the others.
  private static final class Draft {
    private final SandboxSpec from;
    private boolean network;
    private Egress egress;
    private List<Mount> mounts;
    private List<Path> lent;
    private List<Path> hidden;
    private Map<String, String> env;
    private Limits limits;
    private List<PortMapping> ports;
    private Optional<Commands> commands;
    private int temporarySeconds;

    private Draft(SandboxSpec from) {
      this.from = from;
      this.network = from.network;
      this.egress = from.egress;
      this.mounts = from.mounts;
      this.lent = from.lent;
      this.hidden = from.hidden;
      this.env = from.env;
      this.limits = from.limits;
      this.ports = from.ports;
      this.commands = from.commands;
      this.temporarySeconds = from.temporarySeconds;
    }

    private SandboxSpec spec() {
      return new SandboxSpec(
          from.backend,
          from.profile,
          network,
          egress,
          mounts,
          lent,
          hidden,
          env,
          limits,
          from.readOnly,
          ports,
          commands,
          temporarySeconds);
    }
  }
}
