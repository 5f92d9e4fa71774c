package husk.api.jupyter;

import io.helidon.common.buffers.DataReader;

/// What stands before a frame's payload.
///
/// @param last whether it ends its message
/// @param code what it is; a reserved bit makes it one that nobody knows
/// @param length of the payload; negative when it is beyond all measure
/// @param mask the four bytes the payload was changed with, as a number
record WsFrameHead(boolean last, int code, long length, boolean masked, int mask) {
  static WsFrameHead read(DataReader reader) {
    int first = reader.read() & 0xff;
    int second = reader.read() & 0xff;
    boolean masked = (second & 0x80) != 0;
    long length =
        switch (second & 0x7f) {
          case 126 -> number(reader, 2);
          case 127 -> number(reader, 8);
          default -> second & 0x7f;
        };
    int mask = masked ? (int) number(reader, 4) : 0;
    return new WsFrameHead((first & 0x80) != 0, first & 0x7f, length, masked, mask);
  }

  private static long number(DataReader reader, int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | (reader.read() & 0xff);
    }
    return value;
  }

  boolean control() {
    return code >= WsInput.CLOSE;
  }

  /// Changes bytes of the payload back.
  ///
  /// @param place where in the payload they stand
  void unmask(byte[] bytes, int from, int count, int place) {
    for (int i = 0; i < count; i++) {
      bytes[from + i] ^= (byte) (mask >>> (8 * (3 - ((place + i) & 3))));
    }
  }
}
