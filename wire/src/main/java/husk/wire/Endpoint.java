package husk.wire;

import java.nio.file.Path;

/// Where a socket listens.
public sealed interface Endpoint {

  /// A Unix domain socket.
  record Unix(Path path) implements Endpoint {}

  /// A TCP port.
  record Tcp(String host, int port) implements Endpoint {}
}
