package husk.wire.zmtp;

/// What a peer may send at most. Memory is taken as bytes arrive, never because they are announced.
///
/// @param frameSize bytes of one frame
/// @param messageSize bytes of all frames of a message
/// @param frames frames of a message
/// @param kept bytes up to which a frame is kept; a larger one is read past, and stands in its
///   message as a [husk.wire.DroppedFrame]
public record Limits(int frameSize, long messageSize, int frames, int kept) {
  /// 1 GiB in a frame and in a message, which has up to 10,000 frames; all is kept.
  public static final Limits DEFAULT = new Limits(1 << 30, 1L << 30, 10_000);

  /// Limits under which whatever is allowed is kept.
  public Limits(int frameSize, long messageSize, int frames) {
    this(frameSize, messageSize, frames, frameSize);
  }

  /// The same limits, keeping no frame larger than this.
  public Limits keeping(int bytes) {
    return new Limits(frameSize, messageSize, frames, bytes);
  }

  public Limits {
    if (frameSize < 0 || frameSize > Integer.MAX_VALUE - 8 || messageSize < 0 || frames < 1) {
      throw new IllegalArgumentException("limits out of range");
    }
  }
}
