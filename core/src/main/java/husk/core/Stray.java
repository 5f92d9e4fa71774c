package husk.core;

import husk.kernels.ConnectionFiles;
import husk.kernels.KernelClient;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// A kernel of which nobody knows the process: whoever started it died before saying so, or what
/// was noted of it is lost. It can still be reached by its sockets.
final class Stray {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private Stray() {}

  /// Nothing happens when there is none.
  static void askToEnd(Path connectionFile) {
    if (Files.notExists(connectionFile)) {
      return;
    }
    try (var client =
        KernelClient.connect(ConnectionFiles.read(connectionFile), PATIENCE, _ -> {}, () -> {})) {
      client.ask(
          "shutdown_request", Json.MAPPER.createObjectNode().put("restart", false), PATIENCE);
    } catch (IOException | RuntimeException none) {
      // nothing has come of it, or it has ended
    }
  }
}
