package husk.kernels;

/// What one frame of a message that is passed on may have at most: 1 GiB, or less where this
/// process has not the memory for it.
final class LargestFrame {
  static final int BYTES =
      (int) Math.clamp(Runtime.getRuntime().maxMemory() / 6, 64L << 20, 1L << 30);

  private LargestFrame() {}
}
