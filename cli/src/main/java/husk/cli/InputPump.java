package husk.cli;

import husk.spi.RunningCommand;
import java.io.IOException;
import java.io.InputStream;

/// Passes standard input on to a command as it comes, and its end too. Nobody waits for it: a
/// command that has ended needs no more input.
final class InputPump implements Runnable {
  private static final int PIECE = 32 * 1024;

  private final InputStream in;
  private final RunningCommand command;

  private InputPump(InputStream in, RunningCommand command) {
    this.in = in;
    this.command = command;
  }

  static void start(InputStream in, RunningCommand command) {
    Thread.ofPlatform().daemon().name("input").start(new InputPump(in, command));
  }

  @Override
  public void run() {
    try {
      var piece = new byte[PIECE];
      for (int count = read(piece); count >= 0; count = read(piece)) {
        command.input(piece, 0, count);
      }
      command.endInput();
    } catch (IOException _) {
      // The command has ended.
    }
  }

  /// What cannot be read has ended.
  private int read(byte[] piece) {
    try {
      return in.read(piece);
    } catch (IOException _) {
      return -1;
    }
  }
}
