package husk.wire.zmtp;

/// What a peer may send at most. Memory is taken as bytes arrive, never because they are announced.
///
/// @param frameSize bytes of one frame
/// @param messageSize bytes of all frames of a message
/// @param frames frames of a message
public record Limits(int frameSize, long messageSize, int frames) {
  /// 1 GiB in a frame and in a message, which has up to 10,000 frames.
  public static final Limits DEFAULT = new Limits(1 << 30, 1L << 30, 10_000);

  public Limits {
    if (frameSize < 0 || frameSize > Integer.MAX_VALUE - 8 || messageSize < 0 || frames < 1) {
      throw new IllegalArgumentException("limits out of range");
    }
  }
}
