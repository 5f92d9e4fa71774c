package husk.kernels;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Everything needed to start a kernel's process, and to start it again the same way.
///
/// @param kernelId the kernel's id
/// @param connectionFile where its connection file is
/// @param directory its private folder: sockets, log, how it ended
/// @param argv the command of a kernelspec; empty for Husk's own kernel, which is forked
/// @param cwd the directory it starts in
/// @param env its whole environment
/// @param liveState whether it can be copied while it lives; it can, if nothing is said
public record Launch(
    String kernelId,
    Path connectionFile,
    Path directory,
    List<String> argv,
    Path cwd,
    Map<String, String> env,
    Optional<Boolean> liveState) {

  public Launch {
    argv = List.copyOf(argv);
    env = Map.copyOf(env);
  }

  public boolean forked() {
    return argv.isEmpty();
  }

  /// Whether a process is to be made for it that can copy it.
  public boolean copyable() {
    return forked() && liveState.orElse(true);
  }

  /// The same with these variables, where it does not set them itself.
  public Launch over(Map<String, String> variables) {
    var all = new HashMap<>(variables);
    all.putAll(env);
    return new Launch(kernelId, connectionFile, directory, argv, cwd, all, liveState);
  }

  public Path log() {
    return directory.resolve("log");
  }
}
