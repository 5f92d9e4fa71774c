package husk.proxy;

import java.time.Duration;

/// How much one sandbox may ask of its proxy.
///
/// @param connections at once
/// @param preface how long the sandbox's first process may take to introduce a connection
/// @param connect how long the way to a server may take, over all its addresses
/// @param idle how long a connection may be without a byte in either direction
/// @param orphaned the same once the client has said its last word and may be gone
record Limits(
    int connections, Duration preface, Duration connect, Duration idle, Duration orphaned) {

  /// Bytes of the head of a request or a response.
  static final int HEAD = 64 * 1024;

  static final Limits USUAL =
      new Limits(
          256,
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofMinutes(10),
          Duration.ofMinutes(1));
}
