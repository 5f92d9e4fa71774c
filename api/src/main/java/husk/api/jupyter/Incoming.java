package husk.api.jupyter;

/// What a client sent over its WebSocket, fragments put together. Nobody changes the arrays.
sealed interface Incoming {
  /// A message; if it came as text it is UTF-8, which was checked.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Data(boolean text, byte[] payload) implements Incoming {}

  /// It wants to know whether somebody is here.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Ping(byte[] payload) implements Incoming {}

  /// The answer to a ping.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Pong(byte[] payload) implements Incoming {}

  /// It is leaving, and says so.
  record Goodbye() implements Incoming {}
}
