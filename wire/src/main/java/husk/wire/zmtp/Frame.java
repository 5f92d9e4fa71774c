package husk.wire.zmtp;

/// One frame: part of a message, or a command. Not a record, because it carries an array.
final class Frame {
  private final boolean more;
  private final boolean command;
  private final byte[] body;

  Frame(boolean more, boolean command, byte[] body) {
    this.more = more;
    this.command = command;
    this.body = body;
  }

  /// Whether further frames of the same message follow.
  boolean more() {
    return more;
  }

  boolean command() {
    return command;
  }

  byte[] body() {
    return body;
  }
}
