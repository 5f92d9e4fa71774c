package husk.api.jupyter;

import static java.nio.charset.StandardCharsets.UTF_8;

import husk.wire.Channel;
import java.util.Locale;

/// The names of channels in messages to and from clients.
final class Channels {
  private Channels() {}

  static String name(Channel channel) {
    return channel.name().toLowerCase(Locale.ROOT);
  }

  static byte[] bytes(Channel channel) {
    return name(channel).getBytes(UTF_8);
  }

  /// One that a client may send on.
  static Channel ofClient(String name) throws Refused {
    return switch (name) {
      case "shell" -> Channel.SHELL;
      case "control" -> Channel.CONTROL;
      case "stdin" -> Channel.STDIN;
      default ->
          throw new Refused(
              CloseReason.POLICY,
              "there is no channel `" + name.substring(0, Math.min(name.length(), 40)) + "`");
    };
  }
}
