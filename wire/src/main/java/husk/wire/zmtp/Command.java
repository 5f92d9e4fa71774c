package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/// A command's body: a name of up to 255 bytes, then data whose meaning the name gives.
final class Command {
  private final String name;
  private final ByteBuffer data;

  private Command(String name, ByteBuffer data) {
    this.name = name;
    this.data = data;
  }

  static Command parse(byte[] body) throws ZmtpException {
    var input = ByteBuffer.wrap(body);
    return new Command(new String(take(input, size(input, 1)), US_ASCII), input.slice());
  }

  static byte[] bytes(String name, byte[] data) {
    return ByteBuffer.allocate(1 + name.length() + data.length)
        .put((byte) name.length())
        .put(name.getBytes(US_ASCII))
        .put(data)
        .array();
  }

  /// The answer to a PING: its context, which follows a time to live of two bytes, sent back.
  static byte[] pong(Command ping) throws ZmtpException {
    var input = ping.data();
    take(input, 2);
    return bytes("PONG", take(input, input.remaining()));
  }

  String name() {
    return name;
  }

  ByteBuffer data() {
    return data.duplicate();
  }

  /// Reads a size of one or four bytes, and checks that as much is there.
  static int size(ByteBuffer input, int width) throws ZmtpException {
    if (input.remaining() < width) {
      throw tooShort();
    }
    int size = width == 1 ? input.get() & 0xff : input.getInt();
    if (size < 0 || size > input.remaining()) {
      throw tooShort();
    }
    return size;
  }

  static byte[] take(ByteBuffer input, int count) throws ZmtpException {
    if (count > input.remaining()) {
      throw tooShort();
    }
    var bytes = new byte[count];
    input.get(bytes);
    return bytes;
  }

  private static ZmtpException tooShort() {
    return new ZmtpException("the peer sent a command that ends too early");
  }
}
