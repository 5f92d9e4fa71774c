package husk.spi;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A command as a sandbox lists it.
///
/// @param pid its number inside
/// @param end how it ended; empty while it runs
public record CommandInfo(
    String id,
    long pid,
    List<String> argv,
    boolean detached,
    Instant startedAt,
    Optional<Instant> endedAt,
    Optional<CommandEnd> end) {

  public CommandInfo {
    argv = List.copyOf(argv);
  }
}
