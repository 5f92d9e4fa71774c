package husk.core;

import husk.kernels.Threads;
import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.sandboxes.EgressWords;
import husk.sandboxes.Lending;
import husk.sandboxes.SandboxInfo;
import husk.sandboxes.SandboxRequest;
import husk.spi.Egress;
import husk.spi.Profile;
import husk.spi.SandboxSpec;
import java.util.List;
import java.util.Optional;

/// The bounds of callers over TCP, who must not get the account of whoever serves.
///
/// What a caller asks for beyond them is refused, unless it was opened. What the server gives by
/// itself, by its own settings and its own project's file, is no matter of the caller's: it is
/// given, and what was made so may be used. So it is decided from what is true of a kernel or a
/// sandbox, whoever made it, and not from who made it.
final class RemoteBounds implements Bounds {
  private static final int LAUNCH_TRIES = 250;

  private final Core core;
  private final Opened opened;
  private final Caller server;
  private final LentFolders folders;

  /// @param server whom callers are served for
  RemoteBounds(Core core, Opened opened, Caller server) {
    this.core = core;
    this.opened = opened;
    this.server = server;
    this.folders = new LentFolders(core, opened.mounts(), server);
  }

  @Override
  public boolean any() {
    return true;
  }

  @Override
  public Caller caller(Caller given) {
    return given.equals(server) || given.equals(Caller.UNKNOWN)
        ? server
        : CallersSettings.over(server, given);
  }

  // What callers ask for

  @Override
  public void make(KernelOptions options) {
    var place = options.place();
    askBackend(place.backend());
    place.profile().ifPresent(name -> askProfile(name, defaults().profile()));
    askLiveState(place.liveState());
    options
        .python()
        .filter(name -> !opened.python() && !core.environments().knows(name))
        .ifPresent(
            name -> {
              throw Closed.field(
                  "python", name, "the server would run it outside of any sandbox", Closed.PYTHON);
            });
    place.sandbox().flatMap(core.sandboxes()::find).ifPresent(this::use);
  }

  @Override
  public void make(SandboxRequest asked, Optional<String> config) {
    askBackend(asked.backend());
    asked.profile().ifPresent(name -> askProfile(name, Optional.empty()));
    config.ifPresent(folders::requireReadable);
    folders.require(asked);
    askPorts(asked);
    askRules(asked.allow());
  }

  private void askBackend(Optional<String> backend) {
    if (backend.filter(KernelHomes.HOST::equals).isPresent() && !opened.hostBackend()) {
      throw Closed.field(
          "backend",
          KernelHomes.HOST,
          "code would run with all rights of the server's account",
          Closed.HOST_BACKEND);
    }
  }

  /// A stricter one than the server's own needs no permission.
  private void askProfile(String name, Optional<String> usual) {
    var profile = Profile.of(name);
    if (profile.compareTo(Profile.orDefault(usual)) < 0 && !opened.profiles().contains(profile)) {
      throw Closed.field(
          "profile", name, "it is wider than what the server gives", Closed.profile(name));
    }
  }

  /// Who may not have it by default may not have it by asking.
  private void askLiveState(Optional<Boolean> asked) {
    if (asked.orElse(false) && !LiveStateRule.usual(defaults())) {
      throw Closed.field(
          "live_state",
          "true",
          "kernels would share memory with a process that copies them",
          Closed.LIVE_STATE);
    }
  }

  private void askPorts(SandboxRequest asked) {
    if (opened.publish()) {
      return;
    }
    Lending.chosenPorts(asked).stream()
        .findFirst()
        .ifPresent(
            port -> {
              throw Closed.field(
                  "ports",
                  String.valueOf(port),
                  "programs of the server may take what listens there for something else",
                  Closed.PUBLISH);
            });
  }

  private void askRules(List<String> allow) {
    if (opened.privateNetwork()) {
      return;
    }
    allow.stream()
        .filter(EgressWords::nonPublic)
        .findFirst()
        .ifPresent(
            rule -> {
              throw Closed.field(
                  "allow",
                  rule,
                  "it leads to the server itself, or to its neighbours",
                  Closed.PRIVATE_NETWORK);
            });
  }

  @Override
  public void open(Egress now, Egress changed) {
    askRules(changed.allow().stream().filter(rule -> !now.allow().contains(rule)).toList());
  }

  // What is there already

  @Override
  public void use(KernelRecord kernel) {
    var what = "kernel `" + kernel.name().orElse(kernel.kernelId()) + "`";
    if (kernel.backend().equals(KernelHomes.HOST)) {
      useHost(what);
      return;
    }
    var home = home(kernel);
    if (!home.own()) {
      core.sandboxes().find(home.sandbox()).ifPresent(this::use);
      return;
    }
    useProfile(what, Profile.orDefault(home.profile()));
    if (home.config().isPresent() && !home.config().equals(defaults().sandboxConfig())) {
      throw Closed.thing(
          what, "follows a file of rules that is not the server's own", Closed.RULES);
    }
  }

  /// Whoever starts a kernel writes down how a moment after its name.
  private KernelHome home(KernelRecord kernel) {
    for (int i = 0; ; i++) {
      try {
        return core.home(kernel).orElseThrow();
      } catch (Problem unknown) {
        if (kernel.status() != KernelStatus.STARTING || i == LAUNCH_TRIES) {
          throw unknown;
        }
        Threads.sleep(4);
      }
    }
  }

  @Override
  public void use(SandboxInfo sandbox) {
    var what = "sandbox `" + sandbox.name() + "`";
    var spec = sandbox.spec();
    if (spec.backend().equals(KernelHomes.HOST)) {
      useHost(what);
      return;
    }
    useProfile(what, spec.profile());
    folders.requireUsable(what, spec);
    useRules(what, spec);
  }

  @Override
  public void start(SandboxInfo sandbox) {
    use(sandbox);
    folders.requireUnmoved("sandbox `" + sandbox.name() + "`", sandbox);
  }

  private void useHost(String what) {
    if (!opened.hostBackend()
        && !defaults().backend().equals(KernelHomes.HOST)
        && !folders.usual().backend().filter(KernelHomes.HOST::equals).isPresent()) {
      throw Closed.thing(what, "lives outside of any sandbox", Closed.HOST_BACKEND);
    }
  }

  private void useProfile(String what, Profile profile) {
    if (profile == Profile.PERMISSIVE
        && !opened.profiles().contains(profile)
        && !isUsual(profile)) {
      throw Closed.thing(what, "has the profile permissive", Closed.profile(profile.wireName()));
    }
  }

  private boolean isUsual(Profile profile) {
    return defaults().profile().filter(profile.wireName()::equals).isPresent()
        || folders.usual().profile().filter(profile.wireName()::equals).isPresent();
  }

  private void useRules(String what, SandboxSpec spec) {
    if (opened.privateNetwork()) {
      return;
    }
    var usual = folders.usual().allow();
    spec.egress().allow().stream()
        .filter(rule -> EgressWords.nonPublic(rule) && !usual.contains(rule))
        .findFirst()
        .ifPresent(
            rule -> {
              throw Closed.thing(
                  what, "may reach `" + rule + "`, which is not public", Closed.PRIVATE_NETWORK);
            });
  }

  /// What the server gives whoever asks for nothing.
  private Settings defaults() {
    return core.settings(server).settings();
  }
}
