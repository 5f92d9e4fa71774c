package husk.api.sandboxes;

import husk.spi.CommandEvent;
import husk.spi.RunningCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// A command that has ended, with what it said, at most 10 MiB of each stream.
record Finished(
    String stdout,
    String stderr,
    int exitCode,
    String reason,
    boolean truncated,
    long wallMs,
    long maxRssKb) {
  private static final int KEPT = 10 << 20;

  static Finished await(RunningCommand command) throws IOException {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    boolean truncated = false;
    while (true) {
      switch (command.next()) {
        case CommandEvent.Output piece ->
            truncated |= !keep(piece.error() ? err : out, piece.bytes());
        case CommandEvent.Ended ended -> {
          var end = ended.end();
          return new Finished(
              out.toString(StandardCharsets.UTF_8),
              err.toString(StandardCharsets.UTF_8),
              end.exitCode(),
              end.reason().wireName(),
              truncated,
              end.wallMs(),
              end.maxRssKb());
        }
      }
    }
  }

  private static boolean keep(ByteArrayOutputStream into, byte[] bytes) {
    int room = Math.min(bytes.length, KEPT - into.size());
    into.write(bytes, 0, room);
    return room == bytes.length;
  }
}
