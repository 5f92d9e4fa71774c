package husk;

import husk.spi.CommandEnd;

/// What came of a command.
///
/// @param stdout what it wrote to standard output, at most 64 MiB
/// @param stderr what it wrote to standard error, at most 64 MiB
/// @param truncated whether there was more
/// @param end how it ended
public record CommandResult(String stdout, String stderr, boolean truncated, CommandEnd end) {

  /// As a shell tells it: 128 and the signal's number for a command that a signal ended, 124 for
  /// one that was late.
  public int exitCode() {
    return end.exitCode();
  }

  public boolean ok() {
    return exitCode() == 0;
  }
}
