package husk.api.accept;

import io.helidon.common.socket.PeerInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.Principal;
import java.security.cert.Certificate;
import java.util.Optional;

/// One end of a connection without TLS.
record Peer(SocketAddress address) implements PeerInfo {
  private static final SocketAddress NOWHERE = UnixDomainSocketAddress.of(Path.of(""));

  static Peer remote(SocketChannel channel) {
    try {
      var address = channel.getRemoteAddress();
      return new Peer(address == null ? NOWHERE : address);
    } catch (IOException gone) {
      return new Peer(NOWHERE);
    }
  }

  static Peer local(SocketChannel channel) {
    try {
      var address = channel.getLocalAddress();
      return new Peer(address == null ? NOWHERE : address);
    } catch (IOException gone) {
      return new Peer(NOWHERE);
    }
  }

  @Override
  public String host() {
    return address instanceof InetSocketAddress inet ? inet.getHostString() : address.toString();
  }

  @Override
  public int port() {
    return address instanceof InetSocketAddress inet ? inet.getPort() : -1;
  }

  @Override
  public Optional<Principal> tlsPrincipal() {
    return Optional.empty();
  }

  @Override
  public Optional<Certificate[]> tlsCertificates() {
    return Optional.empty();
  }
}
