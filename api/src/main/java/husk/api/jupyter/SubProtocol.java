package husk.api.jupyter;

import java.nio.ByteBuffer;

/// How messages look on a client's WebSocket.
interface SubProtocol {
  /// A record of the spool, which [V1Layout] describes, as the client wants it.
  Outbound encode(ByteBuffer record);

  Inbound decode(boolean text, byte[] payload) throws Refused;
}
