package husk.wire;

/// Stands in a message for a frame that was too large to be kept.
public final class DroppedFrame {
  private static final byte[] MARK = {};

  private DroppedFrame() {}

  /// The one array that means it.
  public static byte[] mark() {
    return MARK;
  }

  @SuppressWarnings("ReferenceEquality") // a frame that is merely empty is another
  public static boolean is(byte[] frame) {
    return frame == MARK;
  }
}
