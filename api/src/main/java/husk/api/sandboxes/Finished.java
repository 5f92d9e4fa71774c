package husk.api.sandboxes;

import husk.spi.CommandEnd;
import husk.spi.CommandEvent;
import husk.spi.RunningCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a command said, at most 10 MiB of each stream, and how it ended.
record Finished(String stdout, String stderr, boolean truncated, CommandEnd end) {
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
          return new Finished(
              out.toString(StandardCharsets.UTF_8),
              err.toString(StandardCharsets.UTF_8),
              truncated,
              ended.end());
        }
      }
    }
  }

  private static boolean keep(ByteArrayOutputStream into, byte[] bytes) {
    int room = Math.min(bytes.length, KEPT - into.size());
    into.write(bytes, 0, room);
    return room == bytes.length;
  }

  /// Its output, and that alone.
  Map<String, Object> texts() {
    var view = new LinkedHashMap<String, Object>();
    view.put("stdout", stdout);
    view.put("stderr", stderr);
    view.put("truncated", truncated);
    return view;
  }

  Map<String, Object> json() {
    var view = texts();
    view.putAll(CommandView.end(end));
    return view;
  }
}
