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

/// The one place where a specification becomes bubblewrap's arguments.
final class Walls {
  static final String WORKSPACE = "/workspace";
  static final String HOME = "/home/husk";

  private static final String AGENT = "/.husk/agent";

  /// Who everybody is inside.
  static final int OWNER = 1000;

  private final SandboxSpec spec;
  private final SandboxPlace place;

  Walls(SandboxSpec spec, SandboxPlace place) {
    this.spec = spec;
    this.place = place;
  }

  List<String> command() throws IOException {
    var command = new ArrayList<String>();
    command.add("bwrap");
    command.addAll(namespaces());
    command.addAll(SystemFolders.arguments(spec, place));
    command.addAll(freshFolders());
    ownFolders()
        .forEach((target, source) -> command.addAll(List.of("--bind", source.toString(), target)));
    command.addAll(new MountPlan(spec, place).arguments());
    command.addAll(new ProgramFolders(spec).arguments());
    command.addAll(List.of("--ro-bind", place.agent().toString(), AGENT));
    if (spec.readOnly()) {
      command.addAll(List.of("--remount-ro", "/"));
    }
    command.addAll(List.of("--info-fd", "5", "--chdir", "/", "--", AGENT, "serve"));
    command.addAll(agentOptions());
    return command;
  }

  private static List<String> namespaces() {
    return List.of(
        "--unshare-user",
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

  private List<String> freshFolders() {
    var arguments = new ArrayList<>(List.of("--proc", "/proc", "--dev", "/dev"));
    // The kernel lets the owner of a namespace set what belongs to it; nobody inside has any need.
    arguments.addAll(List.of("--ro-bind", "/proc/sys", "/proc/sys"));
    MemoryFolders.of(spec.limits())
        .forEach(
            (folder, bytes) ->
                arguments.addAll(
                    List.of("--perms", "1777", "--size", Long.toString(bytes), "--tmpfs", folder)));
    return arguments;
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
