package husk.wire.zmtp;

/// Asked before memory is taken for a frame of a message. It may wait; while it does, the peer is
/// held back.
public interface FrameGate {
  /// Lets every frame in.
  FrameGate OPEN = _ -> true;

  /// Whether there is room for so many bytes; if not, the frame is read past, and stands in its
  /// message as a [husk.wire.DroppedFrame].
  boolean admit(int size);
}
