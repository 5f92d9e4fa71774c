package husk.backends.bubblewrap;

import husk.backends.agents.EnvironmentFile;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The one place where a specification becomes walls: the steps by which the agent's launcher
/// builds what a sandbox sees, and the arguments with which bubblewrap shuts it in there.
///
/// The launcher builds from outside, so that nobody inside, with whatever rights, can uncover or
/// change what it shows. All that is left to bubblewrap is `/proc`.
final class Walls {
  static final String WORKSPACE = "/workspace";
  static final String HOME = "/home/husk";

  private static final String AGENT = "/.husk/agent";

  /// The descriptor of the user namespace that the launcher has made.
  private static final String USERS = "10";

  /// And of the filter that the agent begins with: until it has its own, relatives can look into
  /// it.
  private static final String FILTER = "11";

  /// Where the launcher puts what it has built.
  private static final String VIEW = "/view";

  /// Who everybody is inside.
  static final int OWNER = 1000;

  private final SandboxSpec spec;
  private final SandboxPlace place;

  Walls(SandboxSpec spec, SandboxPlace place) {
    this.spec = spec;
    this.place = place;
  }

  /// What is seen inside, as options of the launcher: the outer before the inner.
  List<String> view() throws IOException {
    var view = new ArrayList<String>();
    view.addAll(memory("/", "0755", MemoryFolders.root(spec.limits())));
    view.addAll(List.of("--dir", "/proc"));
    view.addAll(SystemFolders.arguments(spec, place));
    view.addAll(List.of("--dev", "/dev"));
    MemoryFolders.of(spec.limits())
        .forEach((folder, bytes) -> view.addAll(memory(folder, "1777", bytes)));
    ownFolders()
        .forEach((target, source) -> view.addAll(List.of("--bind", source.toString(), target)));
    view.addAll(new MountPlan(spec, place).arguments());
    view.addAll(new ProgramFolders(spec).arguments());
    view.addAll(List.of("--ro-bind", place.agent().toString(), AGENT));
    Unexecutable.folders(spec).forEach(folder -> view.addAll(List.of("--no-exec", folder)));
    if (spec.readOnly()) {
      view.addAll(List.of("--read-only", "/"));
    }
    return view;
  }

  static List<String> memory(String folder, String mode, long bytes) {
    return List.of("--tmpfs", folder, mode, Long.toString(bytes));
  }

  /// @param fixedProcessors whether the limit on processors is which ones they are
  List<String> command(boolean fixedProcessors) {
    var command = new ArrayList<String>();
    command.add("bwrap");
    command.addAll(namespaces());
    command.addAll(List.of("--dev-bind", VIEW, "/", "--proc", "/proc"));
    // The kernel lets the owner of a namespace set what belongs to it; nobody inside has any need.
    command.addAll(List.of("--ro-bind", "/proc/sys", "/proc/sys"));
    command.addAll(List.of("--info-fd", "5", "--chdir", "/", "--", AGENT, "serve"));
    command.addAll(agentOptions());
    if (fixedProcessors) {
      command.addAll(List.of("--fixed-processors", "yes"));
    }
    return command;
  }

  private static List<String> namespaces() {
    return List.of(
        "--userns",
        USERS,
        "--seccomp",
        FILTER,
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--as-pid-1",
        "--uid",
        Integer.toString(OWNER),
        "--gid",
        Integer.toString(OWNER),
        "--hostname",
        "husk",
        "--cap-drop",
        "ALL",
        "--clearenv");
  }

  /// What outlives a stop, by where it is seen, unless a folder of the host takes the place. Only
  /// these are measured: what a folder of the host holds is not the sandbox's doing.
  private Map<String, Path> ownFolders() {
    var folders = new TreeMap<>(Map.of(WORKSPACE, place.workspace(), HOME, place.home()));
    spec.mounts().forEach(mount -> folders.remove(mount.target().toString()));
    return folders;
  }

  private List<String> agentOptions() {
    var options = new ArrayList<>(List.of("--cwd", WORKSPACE));
    if (spec.network()) {
      options.addAll(List.of("--http-port", Integer.toString(Variables.HTTP_PORT)));
      options.addAll(List.of("--socks-port", Integer.toString(Variables.SOCKS_PORT)));
    }
    if (spec.temporarySeconds() > 0) {
      options.addAll(List.of("--temporary", Integer.toString(spec.temporarySeconds())));
    }
    if (spec.limits().workspaceMb() > 0) {
      ownFolders().forEach((target, _) -> options.addAll(List.of("--workspace", target)));
      options.addAll(
          List.of("--workspace-limit", Long.toString(spec.limits().workspaceMb() << 20)));
    }
    options.addAll(List.of("--env-fd", Integer.toString(EnvironmentFile.DESCRIPTOR)));
    return options;
  }
}
