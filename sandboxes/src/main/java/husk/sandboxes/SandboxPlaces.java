package husk.sandboxes;

import husk.spi.SandboxPlace;
import java.nio.file.Path;
import java.util.List;

/// Where sandboxes are kept.
///
/// @param files what lasts, a folder for each
/// @param sockets what lives as long as they run, a folder for each; a short path
/// @param agent the guest agent's program
/// @param own where Husk keeps its own things, which no sandbox may see
/// @param registry the file of the registry they are in
public record SandboxPlaces(Path files, Path sockets, Path agent, List<Path> own, Path registry) {
  public SandboxPlaces {
    own = List.copyOf(own);
  }

  SandboxPlace of(String id) {
    return new SandboxPlace(id, files.resolve(id), sockets.resolve(id), agent);
  }
}
