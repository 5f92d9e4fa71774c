package husk.proxy;

import java.io.EOFException;
import java.io.IOException;

/// Moves a body from one peer to the other, as fast as the slower one and never more than a buffer
/// at a time.
final class Body {
  private static final int LONGEST_SIZE_LINE = 4096;

  private final Peer from;
  private final Peer to;

  Body(Peer from, Peer to) {
    this.from = from;
    this.to = to;
  }

  void copy(Framing framing) throws IOException, Refusal {
    switch (framing) {
      case Framing.Empty() -> {}
      case Framing.Length(long bytes) -> copy(bytes);
      case Framing.Chunked() -> copyChunks();
      case Framing.UntilClose() -> copyAll();
    }
  }

  private void copyAll() throws IOException {
    while (from.fill()) {
      to.write(from.arrived());
    }
  }

  private void copy(long bytes) throws IOException {
    long left = bytes;
    while (left > 0) {
      if (!from.fill()) {
        throw new EOFException("the body ends %d bytes early".formatted(left));
      }
      var part = from.arrived().slice();
      part.limit((int) Math.min(left, part.limit()));
      int length = part.remaining();
      to.write(part);
      from.arrived().position(from.arrived().position() + length);
      left -= length;
    }
  }

  /// Chunks are written anew, so that both sides agree on where they end. Extensions and trailers,
  /// which next to nobody reads, stay behind.
  private void copyChunks() throws IOException, Refusal {
    for (long size = size(); size > 0; size = size()) {
      to.write(Long.toHexString(size) + "\r\n");
      copy(size);
      if (from.read() != '\r' || from.read() != '\n') {
        throw Refusal.malformed("a chunk does not end where it says");
      }
      to.write("\r\n");
    }
    Fields.parse(new HeadReader(from, Limits.HEAD).lines());
    to.write("0\r\n\r\n");
  }

  private long size() throws IOException, Refusal {
    var line = new HeadReader(from, LONGEST_SIZE_LINE).line();
    int extension = line.indexOf(';');
    var digits = (extension < 0 ? line : line.substring(0, extension).stripTrailing());
    if (!digits.matches("[0-9a-fA-F]{1,15}")) {
      throw Refusal.malformed("a chunk without a proper size");
    }
    return Long.parseLong(digits, 16);
  }
}
