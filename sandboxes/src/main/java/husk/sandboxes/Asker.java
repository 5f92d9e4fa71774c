package husk.sandboxes;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Whose directory, home and variables a permissive sandbox gets.
///
/// @param cwd the caller's directory
/// @param environment the caller's allow-listed variables
public record Asker(Optional<Path> cwd, Map<String, String> environment) {
  public static final Asker NOBODY = new Asker(Optional.empty(), Map.of());

  public Asker {
    environment = Map.copyOf(environment);
  }

  Optional<Path> home() {
    return Optional.ofNullable(environment.get("HOME"))
        .filter(home -> !home.isEmpty())
        .map(Path::of);
  }
}
