package husk.spi;

import java.io.IOException;

/// A line to a command. One thread reads, any thread may write.
///
/// Whoever reads slowly holds the command back; nothing piles up. To close the line of a command
/// that is not detached ends the command and all it started.
public interface RunningCommand extends AutoCloseable {
  String id();

  /// What comes next; waits for it. After [CommandEvent.Ended] nothing does.
  CommandEvent next() throws IOException;

  void input(byte[] bytes, int offset, int length) throws IOException;

  void endInput() throws IOException;

  void signal(int number) throws IOException;

  void resize(CommandSpec.Window window) throws IOException;

  @Override
  void close();
}
