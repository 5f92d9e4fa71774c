package husk;

import husk.spi.CommandEnd;
import husk.spi.CommandEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// The output of a command, kept while it fits.
final class CollectedOutput implements Consumer<CommandEvent.Output> {
  private static final int KEPT = 64 << 20;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private boolean truncated;

  @Override
  public void accept(CommandEvent.Output piece) {
    var into = piece.error() ? err : out;
    int room = Math.min(piece.bytes().length, KEPT - into.size());
    into.write(piece.bytes(), 0, room);
    truncated |= room < piece.bytes().length;
  }

  CommandResult result(CommandEnd end) {
    return new CommandResult(
        out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), truncated, end);
  }
}
