package husk.proxy;

import java.util.Optional;
import java.util.stream.Stream;

/// What a sandbox asks for.
///
/// @param protocol `http`, `connect` or `socks5`
/// @param method of plain HTTP; nobody can see into a tunnel
/// @param path likewise
record Access(
    String protocol, Host host, int port, Optional<String> method, Optional<RequestPath> path) {

  static Access tunnel(String protocol, Host host, int port) {
    return new Access(protocol, host, port, Optional.empty(), Optional.empty());
  }

  static Access http(String method, RequestTarget target) {
    return new Access(
        "http", target.host(), target.port(), Optional.of(method), Optional.of(target.path()));
  }

  /// The same, but to another host.
  Access to(Host other) {
    return new Access(protocol, other, port, method, path);
  }

  /// The ways in which a server may read the path.
  Stream<String> paths() {
    return path.stream().flatMap(it -> Stream.of(it.plain(), it.decoded()));
  }

  /// `host:port`, as people write it.
  String place() {
    return host.text() + ":" + port;
  }
}
