package husk.wire.zmtp;

/// What kind of ZeroMQ socket we are.
public enum SocketType {
  /// Sends and receives freely.
  DEALER,
  /// Receives what it subscribed to.
  SUB,
  /// Sends a request, then receives its reply.
  REQ;

  boolean canTalkTo(String peer) {
    return switch (peer) {
      case "ROUTER", "REP" -> this == DEALER || this == REQ;
      case "DEALER" -> this == DEALER;
      case "PUB", "XPUB" -> this == SUB;
      default -> false;
    };
  }
}
