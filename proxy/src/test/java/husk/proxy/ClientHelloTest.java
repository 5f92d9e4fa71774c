package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ClientHelloTest {
  private static final byte[] PLAIN = records(hello("good.example"), 16_000);

  @Test
  void isIncompleteUntilItsLastByte() {
    for (int length = 0; length < PLAIN.length; length++) {
      assertThat(ClientHello.read(Arrays.copyOf(PLAIN, length)))
          .isEqualTo(new ClientHello.Incomplete());
    }
    assertThat(ClientHello.read(PLAIN)).isEqualTo(new ClientHello.Named("good.example"));
  }

  @Test
  void isReadFromManyRecords() {
    var split = records(hello("good.example"), 1);
    assertThat(ClientHello.read(split)).isEqualTo(new ClientHello.Named("good.example"));
  }

  @Test
  void mayBeFollowedByAnything() {
    var longer = Arrays.copyOf(PLAIN, PLAIN.length + 100);
    assertThat(ClientHello.read(longer)).isEqualTo(new ClientHello.Named("good.example"));
  }

  @Test
  void isNotSeenInOtherProtocols() {
    assertThat(ClientHello.read("GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(new ClientHello.NotTls());
    assertThat(ClientHello.read(new byte[] {22, 4})).isEqualTo(new ClientHello.NotTls());
  }

  @Test
  void isGarbledWhenItNamesTwoHosts() {
    var twice = hello("good.example", "evil.example");
    assertThat(ClientHello.read(records(twice, 16_000))).isEqualTo(new ClientHello.Garbled());
  }

  @Test
  void isGarbledRatherThanNamelessWhenItCannotBeRead() {
    var message = hello("good.example");
    message[38] = (byte) 200; // a session longer than the message
    assertThat(ClientHello.read(records(message, 16_000))).isEqualTo(new ClientHello.Garbled());
    assertThat(ClientHello.read(new byte[] {22, 3, 1, 0, 0})).isEqualTo(new ClientHello.Garbled());
    assertThat(ClientHello.read(new byte[] {22, 3, 1, 0, 1, 2}))
        .isEqualTo(new ClientHello.Garbled());
  }

  @Test
  void neverThrowsWhateverItIsGiven() {
    var random = new Random(20260101);
    for (int i = 0; i < 20_000; i++) {
      var mutated = PLAIN.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
      }
      assertThat(ClientHello.read(mutated)).isNotNull();
    }
  }

  /// A handshake message that names these hosts, one extension for each.
  private static byte[] hello(String... names) {
    var extensions = ByteBuffer.allocate(1000);
    for (var name : names) {
      var bytes = name.getBytes(StandardCharsets.US_ASCII);
      extensions.putShort((short) 0).putShort((short) (bytes.length + 5));
      extensions.putShort((short) (bytes.length + 3)).put((byte) 0);
      extensions.putShort((short) bytes.length).put(bytes);
    }
    extensions.flip();
    int length = 34 + 1 + 4 + 2 + 2 + extensions.remaining();
    var message = ByteBuffer.allocate(4 + length).putInt(0x01000000 | length);
    message.put(new byte[34]).put((byte) 0).putShort((short) 2).putShort((short) 0x1301);
    message.put((byte) 1).put((byte) 0).putShort((short) extensions.remaining()).put(extensions);
    return message.array();
  }

  private static byte[] records(byte[] message, int size) {
    var records = new ByteArrayOutputStream();
    for (int at = 0; at < message.length; at += size) {
      int length = Math.min(size, message.length - at);
      records.writeBytes(new byte[] {22, 3, 1, (byte) (length >> 8), (byte) length});
      records.write(message, at, length);
    }
    return records.toByteArray();
  }
}
