package husk.kernels;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A kernel somebody installed for Jupyter, as its `kernel.json` describes it.
///
/// @param name the name of its folder, in lower case
/// @param displayName what people call it
/// @param language what it runs
/// @param argv its command, with `{connection_file}` still to be filled in
/// @param env variables it asks for
/// @param interruptMode `signal` or `message`
/// @param resources its folder
public record KernelSpec(
    String name,
    String displayName,
    String language,
    List<String> argv,
    Map<String, String> env,
    String interruptMode,
    Path resources) {

  public KernelSpec {
    argv = List.copyOf(argv);
    env = Map.copyOf(env);
  }

  /// Kernels made with ipykernel speak over Unix sockets; of others only TCP is certain.
  public boolean speaksUnixSockets() {
    return argv.stream().anyMatch(word -> word.startsWith("ipykernel"));
  }

  public boolean python() {
    return language.equalsIgnoreCase("python");
  }

  /// The command with the connection file filled in.
  public List<String> command(Path connectionFile) {
    return argv.stream()
        .map(word -> word.replace("{connection_file}", connectionFile.toString()))
        .map(word -> word.replace("{resource_dir}", resources.toString()))
        .toList();
  }
}
