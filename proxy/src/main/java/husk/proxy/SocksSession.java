package husk.proxy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;

/// A client that speaks SOCKS5 (RFC 1928): no authentication, CONNECT alone.
final class SocksSession {
  static final int VERSION = 5;
  private static final int NO_AUTHENTICATION = 0;
  private static final int NOTHING_ACCEPTABLE = 0xff;
  private static final int CONNECT = 1;

  private final Visit visit;
  private final ExecutorService threads;
  private final Peer client;

  SocksSession(Visit visit, ExecutorService threads) {
    this.visit = visit;
    this.threads = threads;
    this.client = visit.client();
  }

  void serve() throws IOException, InterruptedException {
    if (!greet()) {
      return;
    }
    try {
      var access = understand();
      var server = visit.enter(access);
      reply(0);
      new Tunnel(visit, server, threads).run(access);
    } catch (Refusal e) {
      reply(e.reason().socksReply());
    }
  }

  private boolean greet() throws IOException {
    client.read();
    var offered = bytes(next());
    for (var method : offered) {
      if (method == NO_AUTHENTICATION) {
        client.write((byte) VERSION, (byte) NO_AUTHENTICATION);
        return true;
      }
    }
    var refusal = new Refusal(Reason.UNSUPPORTED, "", "SOCKS authentication is not done here", "");
    visit.refused("socks5", refusal);
    client.write((byte) VERSION, (byte) NOTHING_ACCEPTABLE);
    return false;
  }

  private Access understand() throws IOException, Refusal {
    try {
      return request();
    } catch (Refusal e) {
      throw visit.refused("socks5", e);
    }
  }

  private Access request() throws IOException, Refusal {
    int version = next();
    int command = next();
    int reserved = next();
    if (version != VERSION || reserved != 0) {
      throw Refusal.malformed("not a SOCKS5 request");
    }
    var host = host();
    int port = (next() << 8) | next();
    if (command != CONNECT) {
      throw new Refusal(Reason.UNSUPPORTED, "", "only CONNECT is supported, no BIND or UDP", "");
    }
    if (port == 0) {
      throw Refusal.malformed("port 0");
    }
    return Access.tunnel("socks5", host, port);
  }

  private Host host() throws IOException, Refusal {
    return switch (next()) {
      case 1 -> new Host.Address(HostText.of(bytes(4)));
      case 3 -> HostText.bare(new String(bytes(next()), StandardCharsets.ISO_8859_1));
      case 4 -> new Host.Address(HostText.of(bytes(16)));
      default -> throw Refusal.malformed("an unknown type of address");
    };
  }

  /// The address it was bound to is nobody's business inside: zeros.
  private void reply(int code) throws IOException {
    client.write(
        (byte) VERSION,
        (byte) code,
        (byte) 0,
        (byte) 1,
        (byte) 0,
        (byte) 0,
        (byte) 0,
        (byte) 0,
        (byte) 0,
        (byte) 0);
  }

  private int next() throws IOException {
    int next = client.read();
    if (next < 0) {
      throw new EOFException("the SOCKS request ends in the middle");
    }
    return next;
  }

  private byte[] bytes(int count) throws IOException {
    var bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) next();
    }
    return bytes;
  }
}
