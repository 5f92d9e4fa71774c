package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RawCodecTest {
  private static final byte[] HEADER =
      bytes("{\"msg_id\": \"1\",  \"msg_type\": \"stream\", \"session\": \"s\"}");
  private static final byte[] PARENT = bytes("{\"msg_id\": \"0\", \"session\": \"p\"}");
  private static final byte[] METADATA = bytes("{ }");
  private static final byte[] CONTENT = bytes("{\"a\":   [1.0, 1e5]}");

  private final RawCodec codec = new RawCodec(new Signer("key", "hmac-sha256"));

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static RawMessage message() throws MalformedMessage {
    return RawMessage.of(List.of(HEADER, PARENT, METADATA, CONTENT, new byte[] {-1, 0}));
  }

  @Test
  void aMessagePassesByteForByte() throws MalformedMessage {
    var frames = new ArrayList<>(codec.encode(message()));
    frames.addFirst(bytes("topic"));
    var passed = codec.decode(frames);
    assertEquals(5, passed.parts().size());
    assertArrayEquals(CONTENT, passed.content());
    assertArrayEquals(METADATA, passed.metadata());
    assertArrayEquals(new byte[] {-1, 0}, passed.parts().getLast());
    assertEquals(
        List.of("1", "stream", "s", "0", "p"),
        List.of(
            passed.id(),
            passed.type(),
            passed.session(),
            passed.parentId(),
            passed.parentSession()));
  }

  @Test
  void aHeaderOfVeryManyValuesIsRefused() {
    var header = bytes("{\"msg_id\": [" + "[],".repeat(10_000) + "0]}");
    var parts = List.of(header, PARENT, METADATA, CONTENT);
    assertThrows(MalformedMessage.class, () -> RawMessage.of(parts));
  }

  @Test
  void husksOwnCodecReadsWhatThisOneWrites() throws MalformedMessage {
    var read = new MessageCodec(new Signer("key", "hmac-sha256")).decode(codec.encode(message()));
    assertEquals("stream", read.type());
    assertEquals(2, read.content().path("a").size());
  }

  @Test
  void aMessageSignedWithAnotherKeyIsRefused() throws MalformedMessage {
    var frames = new RawCodec(new Signer("other", "hmac-sha256")).encode(message());
    assertThrows(MalformedMessage.class, () -> codec.decode(frames));
  }

  @Test
  void changedContentIsRefused() throws MalformedMessage {
    var frames = new ArrayList<>(codec.encode(message()));
    frames.set(5, bytes("{}"));
    assertThrows(MalformedMessage.class, () -> codec.decode(frames));
  }

  @Test
  void whatIsNoMessageIsRefused() {
    assertThrows(MalformedMessage.class, () -> codec.decode(List.of()));
    assertThrows(MalformedMessage.class, () -> codec.decode(List.of(bytes("<IDS|MSG>"))));
    var plain = new RawCodec(new Signer("", "hmac-sha256"));
    for (var header : List.of("[]", "x", "", "null", "[".repeat(100_000))) {
      var frames =
          List.of(
              bytes("<IDS|MSG>"), bytes(""), bytes(header), bytes("{}"), bytes("{}"), bytes("{}"));
      assertThrows(MalformedMessage.class, () -> plain.decode(frames), header);
    }
  }

  @Test
  void ofAMessageThatWasTooLargeTheHeadersAreLeft() throws MalformedMessage {
    var frames = new ArrayList<>(codec.encode(message()));
    frames.set(5, DroppedFrame.mark());
    var left = codec.decode(frames);
    assertTrue(left.oversized());
    assertEquals("stream", left.type());
    assertEquals("{}", new String(left.content(), UTF_8));
  }

  @Test
  void onlyAHeaderThatSaysWhatItIsIdentifiesAMessage() throws MalformedMessage {
    assertTrue(message().identified());
    var nothing = bytes("{}");
    var number = bytes("{\"msg_id\": 1, \"msg_type\": \"x\"}");
    assertFalse(RawMessage.of(List.of(nothing, nothing, nothing, nothing)).identified());
    assertFalse(RawMessage.of(List.of(number, nothing, nothing, nothing)).identified());
    assertTrue(
        RawMessage.of(Header.of("status", "s"), Optional.empty(), Json.MAPPER.createObjectNode())
            .identified());
  }

  @Test
  void metadataCanBeReplaced() throws MalformedMessage {
    var changed = message().withMetadata(bytes("{\"x\":1}"));
    assertEquals("{\"x\":1}", new String(changed.metadata(), UTF_8));
    assertArrayEquals(CONTENT, changed.content());
  }
}
