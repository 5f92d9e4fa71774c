package husk.wire.zmtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.wire.DroppedFrame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FrameGateTest {
  @Test
  void theGateIsAskedBeforeABodyArrivesAndWhatItRefusesIsReadPast() throws ZmtpException {
    var asked = new ArrayList<Integer>();
    var decoder =
        new FrameDecoder(
            1000,
            1000,
            size -> {
              asked.add(size);
              return size < 5;
            });
    var input =
        ByteBuffer.wrap(new byte[] {0, 3, 'a', 'b', 'c', 0, 6, 1, 2, 3, 4, 5, 6, 0, 1, 'z'});
    var kept = assertNotNull(decoder.next(input));
    assertEquals(3, kept.body().length);
    var refused = assertNotNull(decoder.next(input));
    assertTrue(DroppedFrame.is(refused.body()));
    var next = assertNotNull(decoder.next(input));
    assertFalse(DroppedFrame.is(next.body()));
    assertEquals('z', next.body()[0]);
    assertEquals(List.of(3, 6, 1), asked);
  }

  private static <T> T assertNotNull(@org.jspecify.annotations.Nullable T value) {
    if (value == null) {
      throw new AssertionError("no frame");
    }
    return value;
  }

  @Test
  void commandsPassTheGate() throws ZmtpException {
    var decoder = new FrameDecoder(1000, 1000, _ -> false);
    var command = assertNotNull(decoder.next(ByteBuffer.wrap(new byte[] {4, 2, 1, 2})));
    assertEquals(2, command.body().length);
  }
}
