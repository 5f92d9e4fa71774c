package husk.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class FramesTest {

  @Test
  void whatIsWrittenIsRead() throws IOException {
    var out = new ByteArrayOutputStream();
    for (var kind : Frame.Kind.values()) {
      Frames.write(out, kind, kind == Frame.Kind.HEARTBEAT ? "" : kind + " é");
    }
    Frames.write(out, Frame.Kind.STDOUT, new byte[70_000]);
    var in = new ByteArrayInputStream(out.toByteArray());
    for (var kind : Frame.Kind.values()) {
      var frame = Frames.read(in).orElseThrow();
      assertThat(frame.kind()).isEqualTo(kind);
      assertThat(frame.text()).isEqualTo(kind == Frame.Kind.HEARTBEAT ? "" : kind + " é");
    }
    assertThat(Frames.read(in).orElseThrow().bytes()).hasSize(70_000);
    assertThat(Frames.read(in)).isEmpty();
  }

  @Test
  void theLayoutIsKindLengthPayload() throws IOException {
    var out = new ByteArrayOutputStream();
    Frames.write(out, Frame.Kind.STDOUT, "hi");
    assertThat(out.toByteArray()).containsExactly('O', 0, 0, 0, 2, 'h', 'i');
  }

  @Test
  void aStreamCutInsideAFrameIsAnError() throws IOException {
    var out = new ByteArrayOutputStream();
    Frames.write(out, Frame.Kind.RESULT, "{}");
    byte[] whole = out.toByteArray();
    for (int length = 1; length < whole.length; length++) {
      var in = new ByteArrayInputStream(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> Frames.read(in)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void garbageAndImpossibleLengthsAreRefusedWithoutTakingTheMemory() {
    refused('?', 0, 0, 0, 1, 'x');
    refused('O', 0xff, 0xff, 0xff, 0xff);
    refused('O', 0x7f, 0xff, 0xff, 0xff, 'x');
    refused('O', 0x1f, 0xff, 0xff, 0xff, 'x');
  }

  private static void refused(int... bytes) {
    byte[] stream = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      stream[i] = (byte) bytes[i];
    }
    assertThatThrownBy(() -> Frames.read(new ByteArrayInputStream(stream)))
        .isInstanceOf(IOException.class);
  }
}
