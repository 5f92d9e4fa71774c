package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageCodecTest {
  private final Signer signer = new Signer("key", "hmac-sha256");
  private final MessageCodec codec = new MessageCodec(signer);

  static Message sample() {
    var content = Json.MAPPER.createObjectNode();
    content.put("code", "print('é😀')").putArray("list").add(1).addNull();
    return new Message(
        Header.of("execute_request", "session"),
        Optional.of(Header.of("comm_msg", "other")),
        Json.MAPPER.createObjectNode().put("cell", "1"),
        content,
        List.of(Bytes.of(new byte[] {0, -1}), Bytes.of(new byte[0])));
  }

  @Test
  void messageSurvivesTheRoundTrip() throws Exception {
    var message = sample();
    assertThat(codec.decode(codec.encode(message))).isEqualTo(message);
    assertThat(message.type()).isEqualTo("execute_request");
    assertThat(message.parentId()).contains(message.parent().orElseThrow().msgId());
  }

  @Test
  void requestHasAFreshIdTheProtocolsVersionAndNoParent() throws Exception {
    var content = Json.MAPPER.createObjectNode();
    var first = Message.request("kernel_info_request", "s", content);
    var second = Message.request("kernel_info_request", "s", content);
    assertThat(first.header().msgId()).isNotEqualTo(second.header().msgId());
    assertThat(first.header().version()).isEqualTo("5.4");
    assertThat(first.header().date()).matches("....-..-..T..:..:..\\.\\d{6}\\+00:00");
    assertThat(codec.decode(codec.encode(first)).parent()).isEmpty();
    var metadata = Json.MAPPER.createObjectNode().put("a", 1);
    assertThat(first.withMetadata(metadata).metadata()).isEqualTo(metadata);
  }

  @Test
  void framesAreInTheOrderOfTheProtocol() {
    var content = Json.MAPPER.createObjectNode().put("x", 1);
    var frames = codec.encode(Message.request("t", "s", content));
    assertThat(frames).hasSize(6);
    assertThat(text(frames, 0)).isEqualTo("<IDS|MSG>");
    assertThat(text(frames, 1))
        .isEqualTo(signer.sign(frames.get(2), frames.get(3), frames.get(4), frames.get(5)));
    assertThat(text(frames, 2)).startsWith("{\"msg_id\":").contains("\"msg_type\":\"t\"");
    assertThat(frames.subList(3, 6))
        .extracting(it -> new String(it, UTF_8))
        .containsExactly("{}", "{}", "{\"x\":1}");
  }

  @Test
  void identitiesAndTopicsBeforeTheDelimiterAreSkipped() throws Exception {
    var message = sample();
    var frames = new ArrayList<>(codec.encode(message));
    frames.addFirst("kernel.stdout".getBytes(UTF_8));
    frames.addFirst(new byte[0]);
    assertThat(codec.decode(frames)).isEqualTo(message);
  }

  @Test
  void everyChangedOrMissingFrameBreaksTheSignature() {
    var frames = codec.encode(sample());
    for (int i = 1; i <= 5; i++) {
      var changed = new ArrayList<>(frames);
      changed.set(i, i == 3 ? "{}".getBytes(UTF_8) : new byte[] {'{', ' ', '}'});
      assertThatThrownBy(() -> codec.decode(changed))
          .isInstanceOf(MalformedMessage.class)
          .hasMessageContaining("signature");
    }
    var otherKey = new MessageCodec(new Signer("other", "hmac-sha256"));
    assertThatThrownBy(() -> otherKey.decode(frames)).isInstanceOf(MalformedMessage.class);
  }

  @Test
  void fieldsMissingFromAHeaderAreEmpty() throws Exception {
    var message =
        codec.decode(signed("{\"msg_type\":\"status\",\"version\":null}", "{}", "{}", "{}"));
    assertThat(message.header()).isEqualTo(new Header("", "status", "", "", "", ""));
  }

  @Test
  void framesThatAreNoMessageAreMalformed() {
    var delimiter = "<IDS|MSG>".getBytes(UTF_8);
    var few = codec.encode(sample()).subList(0, 5);
    for (var frames : List.of(List.<byte[]>of(), List.of(new byte[9]), List.of(delimiter), few)) {
      assertThatThrownBy(() -> codec.decode(frames)).isInstanceOf(MalformedMessage.class);
    }
  }

  @Test
  void piecesThatAreNotJsonObjectsAreMalformed() {
    for (var bad : List.of("", "[]", "null", "7", "{", "{} {}")) {
      for (int i = 0; i < 4; i++) {
        var parts = new String[] {"{}", "{}", "{}", "{}"};
        parts[i] = bad;
        assertThatThrownBy(() -> codec.decode(signed(parts)))
            .as("part %d: %.40s", i, bad)
            .isInstanceOf(MalformedMessage.class);
      }
    }
    assertThatThrownBy(() -> codec.decode(signed("{\"msg_id\":{}}", "{}", "{}", "{}")))
        .isInstanceOf(MalformedMessage.class);
  }

  @Test
  void headerThatIsNotUtf8IsMalformed() {
    var parts = pieces("{\"msg_id\":\"?\"}", "{}", "{}", "{}");
    parts[0][11] = (byte) 0xff;
    assertThatThrownBy(() -> codec.decode(signed(parts))).isInstanceOf(MalformedMessage.class);
  }

  @Test
  void bytesOfTheContentThatAreNotUtf8AreReplacedAsJupyterDoes() throws Exception {
    var parts = pieces("{}", "{}", "{}", "{\"text\":\"a?b\"}");
    parts[3][10] = (byte) 0xff;
    assertThat(codec.decode(signed(parts)).content().path("text").stringValue())
        .isEqualTo("a\ufffdb");
  }

  @Test
  void contentOfManyMegabytesIsDecoded() throws Exception {
    var content = Json.MAPPER.createObjectNode().put("text", "é".repeat(15_000_000));
    var frames = codec.encode(Message.request("stream", "s", content));
    assertThat(codec.decode(frames).content().path("text").stringValue()).hasSize(15_000_000);
  }

  private List<byte[]> signed(String... parts) {
    return signed(pieces(parts));
  }

  private List<byte[]> signed(byte[][] parts) {
    var frames = new ArrayList<byte[]>();
    frames.add("<IDS|MSG>".getBytes(UTF_8));
    frames.add(signer.sign(parts).getBytes(UTF_8));
    frames.addAll(List.of(parts));
    return frames;
  }

  private static byte[][] pieces(String... parts) {
    return java.util.stream.Stream.of(parts).map(it -> it.getBytes(UTF_8)).toArray(byte[][]::new);
  }

  private static String text(List<byte[]> frames, int index) {
    return new String(frames.get(index), UTF_8);
  }

  @Test
  void contentBeyondAnyMeasureIsKnownToBeMissing() throws Exception {
    for (var bad :
        List.of(
            "{\"a\":" + "[".repeat(100_000),
            "{\"a\":".repeat(100_000),
            "{\"a\":" + "9".repeat(100_000) + "}",
            "{\"a\":1e" + "9".repeat(2_000) + "}",
            "{\"" + "k".repeat(100_000) + "\":1}",
            // Each takes dozens of bytes of memory.
            "{\"a\":[" + "[],".repeat(2_000_000) + "[]]}")) {
      var content = codec.decode(signed("{}", "{}", "{}", bad)).content();
      assertThat(content.has(MessageCodec.OVERSIZED)).as("%.40s", bad).isTrue();
      assertThatThrownBy(() -> codec.decode(signed("{}", bad, "{}", "{}")))
          .isInstanceOf(MalformedMessage.class);
    }
  }

  @Test
  void numbersThatJsonHasNoWordForAreReadAndWrittenAsText() throws Exception {
    var content = codec.decode(signed("{}", "{}", "{}", "{\"a\":[NaN,-Infinity,1e999]}")).content();
    assertThat(Json.text(content)).isEqualTo("{\"a\":[\"NaN\",\"-Infinity\",\"Infinity\"]}");
    assertThat(Json.pretty(content)).contains("\"NaN\"", "\"-Infinity\"", "\"Infinity\"");
  }

  @Test
  void headerIsNeverALargeOne() {
    var frames = signed("{}", "{\"msg_id\":\"" + "x".repeat(1 << 20) + "\"}", "{}", "{}");
    assertThatThrownBy(() -> codec.decode(frames)).isInstanceOf(MalformedMessage.class);
    assertThatThrownBy(() -> new RawCodec(signer).decode(frames))
        .isInstanceOf(MalformedMessage.class);
  }
}
