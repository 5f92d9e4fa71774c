package husk.proxy;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// What the first bytes of a connection say about TLS.
sealed interface ClientHello {
  /// It may yet become anything.
  record Incomplete() implements ClientHello {}

  record NotTls() implements ClientHello {}

  /// TLS that names no host.
  record Nameless() implements ClientHello {}

  /// TLS for this host, in the client's spelling.
  record Named(String host) implements ClientHello {}

  /// It begins like TLS and goes on like nothing; a server may be more forgiving than we are.
  record Garbled() implements ClientHello {}

  int HANDSHAKE = 22;
  int MAJOR_VERSION = 3;
  int CLIENT_HELLO = 1;
  int LONGEST = 32 * 1024;
  int RECORD_HEAD = 5;
  int LONGEST_RECORD = 16 * 1024 + 256;
  int SERVER_NAME = 0;

  static ClientHello read(byte[] bytes) {
    if (bytes.length == 0) {
      return new Incomplete();
    }
    if (bytes[0] != HANDSHAKE || (bytes.length > 1 && bytes[1] != MAJOR_VERSION)) {
      return new NotTls();
    }
    if (bytes.length > LONGEST) {
      return new Garbled();
    }
    return message(bytes);
  }

  /// Puts the handshake message together from the records it may be spread over, and looks no
  /// further: what follows may be anything.
  private static ClientHello message(byte[] bytes) {
    var records = ByteBuffer.wrap(bytes);
    var message = ByteBuffer.allocate(bytes.length);
    while (records.remaining() >= RECORD_HEAD && !isWhole(message)) {
      int type = records.get();
      int version = records.getShort() >>> 8;
      int length = records.getShort() & 0xffff;
      if (type != HANDSHAKE || version != MAJOR_VERSION || length == 0 || length > LONGEST_RECORD) {
        return new Garbled();
      }
      message.put(part(records, Math.min(length, records.remaining())));
    }
    return hello(message);
  }

  private static boolean isWhole(ByteBuffer message) {
    return message.position() >= 4 && message.position() - 4 >= (message.getInt(0) & 0xffffff);
  }

  private static ClientHello hello(ByteBuffer message) {
    if (message.position() > 0 && message.get(0) != CLIENT_HELLO) {
      return new Garbled();
    }
    if (!isWhole(message)) {
      return new Incomplete();
    }
    try {
      return name(message.slice(4, message.getInt(0) & 0xffffff));
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException _) {
      return new Garbled();
    }
  }

  private static ClientHello name(ByteBuffer hello) {
    skip(hello, 2 + 32); // version and random
    skip(hello, hello.get() & 0xff); // session
    skip(hello, hello.getShort() & 0xffff); // cipher suites
    skip(hello, hello.get() & 0xff); // compressions
    if (!hello.hasRemaining()) {
      return new Nameless();
    }
    ClientHello found = new Nameless();
    var extensions = part(hello, hello.getShort() & 0xffff);
    while (extensions.hasRemaining()) {
      int type = extensions.getShort() & 0xffff;
      var content = part(extensions, extensions.getShort() & 0xffff);
      if (type == SERVER_NAME) {
        if (found instanceof Named) {
          return new Garbled(); // which of the two would the server take?
        }
        found = serverName(content);
      }
    }
    return hello.hasRemaining() ? new Garbled() : found;
  }

  /// One entry, of the one type there is; the list could hold more, and servers would disagree.
  private static ClientHello serverName(ByteBuffer content) {
    var list = part(content, content.getShort() & 0xffff);
    int type = list.get();
    var name = part(list, list.getShort() & 0xffff);
    if (type != 0 || list.hasRemaining() || content.hasRemaining()) {
      return new Garbled();
    }
    return new Named(StandardCharsets.ISO_8859_1.decode(name).toString());
  }

  private static void skip(ByteBuffer buffer, int bytes) {
    buffer.position(buffer.position() + bytes);
  }

  private static ByteBuffer part(ByteBuffer buffer, int length) {
    var part = buffer.slice(buffer.position(), length);
    skip(buffer, length);
    return part;
  }
}
