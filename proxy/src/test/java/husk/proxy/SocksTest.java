package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakDetector.class)
@Timeout(240)
final class SocksTest {
  private static final int ALLOWED = 0;
  private static final int GENERAL_FAILURE = 1;
  private static final int NOT_ALLOWED = 2;
  private static final int UNREACHABLE = 4;
  private static final int REFUSED = 5;
  private static final int UNSUPPORTED = 7;

  private Sandbox sandbox;
  private Upstream echo;

  @BeforeEach
  void open() throws IOException {
    echo = Upstream.start(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
    sandbox =
        Sandbox.allowing("good.example", "lost.example", "127.0.0.1")
            .name("good.example", "127.0.0.1");
  }

  @AfterEach
  void close() throws IOException {
    sandbox.close();
    echo.close();
  }

  /// The reply's code, after a greeting.
  private static int ask(Client client, int command, byte[] address, int port) throws IOException {
    client.send(5, 1, 0);
    assertThat(client.read(2)).containsExactly(5, 0);
    var request = ByteBuffer.allocate(5 + address.length);
    request.put((byte) 5).put((byte) command).put((byte) 0).put(address).putShort((short) port);
    client.send(request.array());
    var reply = client.read(10);
    return reply.length == 10 ? reply[1] : -1;
  }

  private static byte[] name(String name) {
    var bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(2 + bytes.length)
        .put((byte) 3)
        .put((byte) bytes.length)
        .put(bytes)
        .array();
  }

  @Test
  void connectsToNamesAndAddresses() throws IOException {
    for (var address :
        List.of(name("good.example"), name("127.0.0.1"), new byte[] {1, 127, 0, 0, 1})) {
      try (var client = sandbox.client()) {
        assertThat(ask(client, 1, address, echo.port())).isEqualTo(ALLOWED);
        client.send("hello");
        assertThat(client.readText(5)).isEqualTo("hello");
      }
    }
    assertThat(sandbox.events()).hasSize(3).allMatch(it -> it.protocol().equals("socks5"));
  }

  @Test
  void takesAnIpv4AddressInIpv6ForWhatItIs() throws IOException {
    var mapped = ByteBuffer.allocate(17).put((byte) 4).put(11, (byte) -1).put(12, (byte) -1);
    mapped.put(13, new byte[] {127, 0, 0, 1});
    try (var client = sandbox.client()) {
      assertThat(ask(client, 1, mapped.array(), echo.port())).isEqualTo(ALLOWED);
    }
    mapped.put(13, new byte[] {127, 0, 0, 2});
    try (var client = sandbox.client()) {
      assertThat(ask(client, 1, mapped.array(), echo.port())).isEqualTo(NOT_ALLOWED);
    }
  }

  @Test
  void refusesWithTheCodeForIt() throws IOException {
    assertReply(NOT_ALLOWED, 1, name("evil.example"), 443);
    assertReply(NOT_ALLOWED, 1, new byte[] {1, 10, 0, 0, 1}, 443);
    assertReply(UNREACHABLE, 1, name("lost.example"), 443);
    assertReply(UNSUPPORTED, 2, name("good.example"), echo.port());
    assertReply(UNSUPPORTED, 3, name("good.example"), echo.port());
    assertReply(GENERAL_FAILURE, 1, name("good.example"), 0);
    assertReply(REFUSED, 1, name("good.example"), portOfNobody());
    assertThat(echo.visitors()).isZero();
  }

  /// Nobody was ever waiting there, so that nobody can still be.
  private static int portOfNobody() throws IOException {
    try (var brief = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      return brief.getLocalPort();
    }
  }

  private void assertReply(int code, int command, byte[] address, int port) throws IOException {
    try (var client = sandbox.client()) {
      assertThat(ask(client, command, address, port)).isEqualTo(code);
      assertThat(client.readAll()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "127.1",
        "2130706433",
        "0x7f000001",
        "good.example\0",
        "good.example\n",
        "a b",
        "127.0.0.1%25",
        "user@good.example",
        "good..example",
        "::1%lo",
        "g\u00e4.example",
        "[::1]"
      })
  void refusesNamesInOddNotations(String name) throws IOException {
    assertReply(GENERAL_FAILURE, 1, name(name), echo.port());
    assertThat(echo.visitors()).isZero();
    assertThat(sandbox.lastEvent().reason()).isEqualTo("malformed");
  }

  @Test
  void offersNoAuthentication() throws IOException {
    try (var client = sandbox.client()) {
      client.send(5, 1, 2);
      assertThat(client.read(2)).containsExactly(5, 0xff);
      assertThat(client.readAll()).isEmpty();
    }
    assertThat(sandbox.lastEvent().reason()).isEqualTo("unsupported");
  }
}
