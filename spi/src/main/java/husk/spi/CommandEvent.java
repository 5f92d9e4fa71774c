package husk.spi;

/// What comes from a running command.
public sealed interface CommandEvent {

  /// A piece of its output.
  final class Output implements CommandEvent {
    private final boolean error;
    private final byte[] bytes;

    public Output(boolean error, byte[] bytes) {
      this.error = error;
      this.bytes = bytes;
    }

    /// Whether it was written to standard error.
    public boolean error() {
      return error;
    }

    public byte[] bytes() {
      return bytes;
    }
  }

  /// It has ended; nothing comes after.
  record Ended(CommandEnd end) implements CommandEvent {}
}
