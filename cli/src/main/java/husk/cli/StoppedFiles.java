package husk.cli;

import husk.local.JsonPeek;
import husk.model.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Where a sandbox that does not run keeps its two folders, by what they are called in an export.
final class StoppedFiles {
  private StoppedFiles() {}

  static Map<String, Path> of(SandboxHandle sandbox) {
    var kept =
        JsonPeek.at(sandbox.json(), "workspace")
            .map(JsonPaths::of)
            .orElseThrow(
                () ->
                    new Problem(
                        Problem.Code.SANDBOX_NOT_RUNNING,
                        "the daemon does not say where the files of `" + sandbox.name() + "` are",
                        "start it first: husk sandbox start " + sandbox.name()));
    var folders = new LinkedHashMap<String, Path>();
    put(folders, "workspace", mounted(sandbox, "/workspace").orElse(kept));
    put(folders, "home", mounted(sandbox, "/home/husk").orElse(kept.resolveSibling("home")));
    return folders;
  }

  /// One that was never started has none yet.
  private static void put(Map<String, Path> folders, String name, Path folder) {
    if (Files.isDirectory(folder)) {
      folders.put(name, folder);
    }
  }

  /// A folder of the host that is seen at a place inside.
  private static Optional<Path> mounted(SandboxHandle sandbox, String target) {
    for (int i = 0; ; i++) {
      var at = JsonPeek.at(sandbox.json(), "spec", "mounts", String.valueOf(i), "target");
      if (at.isEmpty()) {
        return Optional.empty();
      }
      if (JsonPaths.of(at.get()).equals(Path.of(target))) {
        return JsonPeek.at(sandbox.json(), "spec", "mounts", String.valueOf(i), "source")
            .map(JsonPaths::of);
      }
    }
  }
}
