package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Utf8Test {
  private static ByteBuffer bytes(int... values) {
    var bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteBuffer.wrap(bytes);
  }

  @Test
  void whatIsUtf8StaysTheVerySame() {
    var text = ByteBuffer.wrap("plain, äöü, €, 😀".getBytes(UTF_8));
    assertTrue(Utf8.valid(text));
    assertSame(text, Utf8.repaired(text));
    assertEquals(0, text.position());
  }

  @Test
  void brokenSequencesAreSeenAndReplaced() {
    assertFalse(Utf8.valid(bytes('a', 0xe9)));
    assertFalse(Utf8.valid(bytes(0xed, 0xa0, 0x80)));
    assertFalse(Utf8.valid(bytes(0xc0, 0x80)));
    assertFalse(Utf8.valid(bytes(0xf0, 0x9f, 0x98)));
    assertEquals("a\uFFFDb", UTF_8.decode(Utf8.repaired(bytes('a', 0xe9, 'b'))).toString());
    assertEquals("\uFFFD", UTF_8.decode(Utf8.repaired(bytes(0xf0, 0x9f, 0x98))).toString());
  }

  @Test
  void largeOnesDoNotGrow() {
    var broken = new byte[3 << 20];
    java.util.Arrays.fill(broken, (byte) 0xff);
    var repaired = Utf8.repaired(ByteBuffer.wrap(broken));
    assertEquals(broken.length, repaired.remaining());
    assertEquals('?', repaired.get(0));
  }

  @Test
  void whateverComesInUtf8ComesOut() {
    var random = new Random(3);
    for (int i = 0; i < 300; i++) {
      var noise = new byte[random.nextInt(100_000)];
      random.nextBytes(noise);
      var repaired = Utf8.repaired(ByteBuffer.wrap(noise));
      assertTrue(Utf8.valid(repaired));
      assertEquals(new String(noise, UTF_8), UTF_8.decode(repaired).toString());
    }
  }
}
