package husk.backends.agents;

import husk.spi.SandboxPlace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/// Hands variables to the agent without showing them: a command line can be read by every user of
/// the machine, and variables hold keys.
public final class EnvironmentFile {
  /// As which descriptor the agent finds it.
  public static final int DESCRIPTOR = 8;

  private EnvironmentFile() {}

  /// Writes it, for its owner alone, and gives the launcher's options.
  public static List<String> write(SandboxPlace place, Map<String, String> variables)
      throws IOException {
    var file = place.sockets().resolve("env");
    var text = new StringBuilder();
    variables.forEach((name, value) -> text.append(name).append('=').append(value).append('\0'));
    create(file);
    Files.writeString(file, text, StandardCharsets.UTF_8);
    return List.of("--env-file", file.toString());
  }

  private static void create(Path file) throws IOException {
    Files.deleteIfExists(file);
    var mine = PosixFilePermissions.fromString("rw-------");
    Files.createFile(file, PosixFilePermissions.asFileAttribute(mine));
  }
}
