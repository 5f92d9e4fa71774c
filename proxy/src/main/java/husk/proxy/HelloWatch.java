package husk.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// Holds back the first bytes of a tunnel until it is known whether they are the beginning of TLS,
/// and to whom.
final class HelloWatch {
  private final Visit visit;
  private final Peer client;
  private final Peer server;

  HelloWatch(Visit visit, Peer client, Peer server) {
    this.visit = visit;
    this.client = client;
    this.server = server;
  }

  /// Whether the tunnel may go on; its first bytes are on their way then.
  boolean pass(Access access) throws IOException {
    var held = new ByteArrayOutputStream();
    var hello = ClientHello.read(held.toByteArray());
    while (hello instanceof ClientHello.Incomplete && client.fill()) {
      var part = client.arrived();
      held.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
      part.position(part.limit());
      hello = ClientHello.read(held.toByteArray());
    }
    if (!mayPass(access, hello)) {
      return false;
    }
    server.write(held.toByteArray());
    return true;
  }

  private boolean mayPass(Access access, ClientHello hello) {
    try {
      switch (hello) {
        case ClientHello.NotTls(), ClientHello.Nameless(), ClientHello.Incomplete() -> {}
        case ClientHello.Garbled() -> throw Refusal.malformed("TLS that cannot be read");
        case ClientHello.Named(var name) -> visit.gate().checkInside(access, HostText.bare(name));
      }
      return true;
    } catch (Refusal e) {
      visit.refused(access, e);
      return false;
    }
  }
}
