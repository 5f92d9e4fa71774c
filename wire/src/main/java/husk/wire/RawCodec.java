package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Signs messages that are passed on as they are, and checks those that come back. The frames are
/// those of [MessageCodec].
public final class RawCodec {
  private static final byte[] DELIMITER = "<IDS|MSG>".getBytes(UTF_8);
  private static final int AFTER_DELIMITER = 5;

  private final Signer signer;

  public RawCodec(Signer signer) {
    this.signer = signer;
  }

  /// The frames of a message, beginning with the delimiter.
  public List<byte[]> encode(RawMessage message) {
    var parts = message.parts();
    var frames = new ArrayList<byte[]>(parts.size() + 2);
    frames.add(DELIMITER);
    frames.add(sign(parts).getBytes(UTF_8));
    frames.addAll(parts);
    return frames;
  }

  private String sign(List<byte[]> parts) {
    return signer.sign(parts.get(0), parts.get(1), parts.get(2), parts.get(3));
  }

  /// Reads a message, whatever stands before its delimiter.
  public RawMessage decode(List<byte[]> frames) throws MalformedMessage {
    int start = delimiter(frames) + 1;
    if (frames.size() - start < AFTER_DELIMITER) {
      throw new MalformedMessage("a message has too few frames after its delimiter");
    }
    var parts = frames.subList(start + 1, frames.size());
    if (parts.stream().anyMatch(DroppedFrame::is)) {
      // Its signature can no longer be checked, so that nothing but its place is believed.
      return RawMessage.withoutContent(parts.get(0), parts.get(1));
    }
    if (!signer.verify(frames.get(start), parts.get(0), parts.get(1), parts.get(2), parts.get(3))) {
      throw new MalformedMessage("a message's signature does not match the connection's key");
    }
    return RawMessage.of(parts);
  }

  private static int delimiter(List<byte[]> frames) throws MalformedMessage {
    for (int i = 0; i < frames.size(); i++) {
      if (Arrays.equals(frames.get(i), DELIMITER)) {
        return i;
      }
    }
    throw new MalformedMessage("a message has no delimiter among its " + frames.size() + " frames");
  }
}
