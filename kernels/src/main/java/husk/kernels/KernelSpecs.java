package husk.kernels;

import husk.model.Problem;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// Finds kernelspecs where Jupyter does: `JUPYTER_PATH`, the user's folder, the Python environments
/// Husk knows, and the system's folders, the first of a name winning.
public final class KernelSpecs {
  private final List<Path> folders;

  /// @param environment the caller's variables
  /// @param prefixes of Python environments, in order
  public KernelSpecs(Map<String, String> environment, List<Path> prefixes) {
    var found = new ArrayList<Path>();
    for (var entry : environment.getOrDefault("JUPYTER_PATH", "").split(":")) {
      if (!entry.isBlank()) {
        found.add(Path.of(entry));
      }
    }
    found.add(userFolder(environment));
    prefixes.forEach(prefix -> found.add(prefix.resolve("share/jupyter")));
    found.add(Path.of("/usr/local/share/jupyter"));
    found.add(Path.of("/usr/share/jupyter"));
    this.folders = found.stream().map(folder -> folder.resolve("kernels")).toList();
  }

  private static Path userFolder(Map<String, String> environment) {
    var named = environment.get("JUPYTER_DATA_DIR");
    if (named != null && !named.isBlank()) {
      return Path.of(named);
    }
    var data = environment.get("XDG_DATA_HOME");
    if (data != null && !data.isBlank()) {
      return Path.of(data, "jupyter");
    }
    return Path.of(environment.getOrDefault("HOME", "/"), ".local/share/jupyter");
  }

  /// All of them, by name.
  public Map<String, KernelSpec> all() {
    var specs = new TreeMap<String, KernelSpec>();
    for (var folder : folders) {
      for (var candidate : children(folder)) {
        read(candidate).ifPresent(spec -> specs.putIfAbsent(spec.name(), spec));
      }
    }
    return specs;
  }

  public KernelSpec require(String name) {
    var specs = all();
    var spec = specs.get(name.toLowerCase(Locale.ROOT));
    if (spec == null) {
      throw new Problem(
          Problem.Code.KERNELSPEC_NOT_FOUND,
          "there is no kernelspec `" + name + "`",
          "found here: husk" + (specs.isEmpty() ? "" : ", " + String.join(", ", specs.keySet())),
          "looked in: " + String.join(", ", folders.stream().map(Path::toString).toList()));
    }
    return spec;
  }

  private static List<Path> children(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var entries = Files.list(folder)) {
      return entries.sorted().toList();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  private static Optional<KernelSpec> read(Path folder) {
    var file = folder.resolve("kernel.json");
    try {
      var node = Json.tree(Files.readAllBytes(file));
      var argv = strings(node.path("argv"));
      if (argv.isEmpty()) {
        return Optional.empty();
      }
      var name = folder.getFileName().toString().toLowerCase(Locale.ROOT);
      return Optional.of(
          new KernelSpec(
              name,
              node.path("display_name").asString(name),
              node.path("language").asString(""),
              withInterpreter(argv, folder),
              variables(node.path("env")),
              node.path("interrupt_mode").asString("signal"),
              folder));
    } catch (IOException | Problem unreadable) {
      return Optional.empty();
    }
  }

  /// A command that says just `python` means the Python the kernelspec was installed with.
  private static List<String> withInterpreter(List<String> argv, Path folder) {
    if (!argv.getFirst().matches("python[0-9.]*")) {
      return argv;
    }
    var prefix = folder.resolve("../../../..").normalize();
    for (var name : List.of(argv.getFirst(), "python3")) {
      var interpreter = prefix.resolve("bin").resolve(name);
      if (Files.isExecutable(interpreter)) {
        var resolved = new ArrayList<>(argv);
        resolved.set(0, interpreter.toString());
        return resolved;
      }
    }
    return argv;
  }

  private static List<String> strings(JsonNode array) {
    var words = new ArrayList<String>();
    array.forEach(word -> words.add(word.asString("")));
    return words;
  }

  private static Map<String, String> variables(JsonNode object) {
    var variables = new TreeMap<String, String>();
    object.properties().forEach(e -> variables.put(e.getKey(), e.getValue().asString("")));
    return variables;
  }
}
