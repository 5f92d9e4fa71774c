package husk.wire.zmtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.wire.DroppedFrame;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDecoderTest {
  private static final int LARGEST = Limits.DEFAULT.frameSize();

  @Test
  void shortFramesHaveTwoBytesBeforeTheBody() {
    assertThat(hex(List.of(new byte[] {7}, new byte[0]))).isEqualTo("010107" + "0000");
  }

  @Test
  void framesOver255BytesHaveAnEightByteSize() {
    assertThat(hex(List.of(new byte[255]))).startsWith("00ff");
    assertThat(hex(List.of(new byte[256]))).startsWith("020000000000000100");
    assertThat(hex(List.of(new byte[256], new byte[1]))).startsWith("030000000000000100");
  }

  @Test
  void messageWithoutFramesCannotBeSent() {
    assertThatThrownBy(() -> FrameEncoder.message(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1000, 1_000_000})
  void framesSurviveTheRoundTripHoweverTheyAreCut(int piece) throws Exception {
    var message =
        List.of(new byte[0], new byte[3], new byte[255], new byte[256], new byte[150_000]);
    message.getLast()[149_999] = 42;
    var bytes = encoded(message);
    var decoder = new FrameDecoder(LARGEST);
    var frames = new ArrayList<Frame>();
    for (int at = 0; at < bytes.length; at += piece) {
      var input = ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at));
      for (var frame = decoder.next(input); frame != null; frame = decoder.next(input)) {
        frames.add(frame);
      }
      assertThat(input.hasRemaining()).isFalse();
    }
    assertThat(frames).extracting(Frame::body).containsExactlyElementsOf(message);
    assertThat(frames).extracting(Frame::more).containsExactly(true, true, true, true, false);
    assertThat(frames).noneMatch(Frame::command);
    assertThat(decoder.idle()).isTrue();
  }

  @Test
  void smallFrameWithAnEightByteSizeIsAccepted() throws Exception {
    var frame = new FrameDecoder(LARGEST).next(bytes("0200000000000000020102"));
    assertThat(Objects.requireNonNull(frame).body()).containsExactly(1, 2);
  }

  @Test
  void frameLargerThanWhatIsKeptIsReadPastAndKnownAsDropped() throws Exception {
    var input = ByteBuffer.wrap(encoded(List.of(new byte[3], new byte[300], new byte[0])));
    var decoder = new FrameDecoder(LARGEST, 10);
    var frames = new ArrayList<byte[]>();
    for (var frame = decoder.next(input); frame != null; frame = decoder.next(input)) {
      frames.add(frame.body());
    }
    assertThat(frames).extracting(DroppedFrame::is).containsExactly(false, true, false);
    assertThat(decoder.idle()).isTrue();
  }

  @Test
  void sizesThatAreAnnouncedButNotSentTakeNoMemory() throws Exception {
    var waiting = new ArrayList<FrameDecoder>();
    for (int i = 0; i < 500; i++) {
      var decoder = new FrameDecoder(LARGEST);
      assertThat(decoder.next(bytes("02000000004000000000"))).isNull();
      assertThat(decoder.idle()).isFalse();
      waiting.add(decoder);
    }
    assertThat(waiting).hasSize(500);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "020000000040000001", // one byte over 1 GiB
        "027fffffffffffffff",
        "02ffffffffffffffff", // negative as a signed number
        "060000000000010001", // a command over 64 KiB
        "05", // a command with more to come
        "08", // reserved flags
        "ff"
      })
  void frameBeyondTheLimitsOrWithUnknownFlagsIsRefused(String header) {
    assertThatThrownBy(() -> new FrameDecoder(LARGEST).next(bytes(header)))
        .isInstanceOf(ZmtpException.class);
  }

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
  }

  private static String hex(List<byte[]> message) {
    return HexFormat.of().formatHex(encoded(message));
  }

  static byte[] encoded(List<byte[]> message) {
    var out = new ByteArrayOutputStream();
    for (var buffer : FrameEncoder.message(message)) {
      var bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }
}
