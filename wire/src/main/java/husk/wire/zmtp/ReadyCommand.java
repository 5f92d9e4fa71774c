package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The one command of the NULL handshake: each side tells its socket type, and its identity if any.
final class ReadyCommand {
  private static final String NAME = "READY";
  private static final String SOCKET_TYPE = "Socket-Type";
  private static final String IDENTITY = "Identity";

  private ReadyCommand() {}

  /// The command's body.
  static byte[] ours(SocketType type, byte[] identity) {
    var data = new ByteArrayOutputStream();
    property(data, SOCKET_TYPE, type.name().getBytes(US_ASCII));
    if (identity.length > 0) {
      property(data, IDENTITY, identity);
    }
    return Command.bytes(NAME, data.toByteArray());
  }

  /// Checks a peer's answer.
  static void check(byte[] body, SocketType ours) throws ZmtpException {
    var command = Command.parse(body);
    if (command.name().equals("ERROR")) {
      var data = command.data();
      var reason = new String(Command.take(data, Command.size(data, 1)), UTF_8);
      throw new ZmtpException("the peer refuses the connection: " + reason);
    }
    if (!command.name().equals(NAME)) {
      throw new ZmtpException("the peer sent something else than READY");
    }
    var theirs = properties(command.data()).getOrDefault(lower(SOCKET_TYPE), "");
    if (!ours.canTalkTo(theirs)) {
      throw new ZmtpException("a " + ours + " socket cannot talk to the peer's `" + theirs + "`");
    }
  }

  private static void property(ByteArrayOutputStream out, String name, byte[] value) {
    out.write(name.length());
    out.writeBytes(name.getBytes(US_ASCII));
    out.writeBytes(ByteBuffer.allocate(4).putInt(value.length).array());
    out.writeBytes(value);
  }

  /// By name in lower case, because names are compared without regard to case.
  private static Map<String, String> properties(ByteBuffer input) throws ZmtpException {
    var properties = new TreeMap<String, String>();
    while (input.hasRemaining()) {
      var name = new String(Command.take(input, Command.size(input, 1)), US_ASCII);
      var value = new String(Command.take(input, Command.size(input, 4)), US_ASCII);
      properties.put(lower(name), value);
    }
    return properties;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
