package husk.contract;

import husk.spi.CommandEnd;
import husk.spi.CommandEvent;
import husk.spi.CommandSpec;
import husk.spi.RunningCommand;
import husk.spi.Sandbox;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// A command that has ended, with what it said.
public record Ran(String out, String err, CommandEnd end) {

  public static Ran in(Sandbox sandbox, String... argv) throws IOException {
    return in(sandbox, CommandSpec.of(argv));
  }

  public static Ran in(Sandbox sandbox, CommandSpec spec) throws IOException {
    try (var command = sandbox.run(spec)) {
      return toTheEnd(command);
    }
  }

  /// A shell script, for tests that need more than one program.
  public static Ran script(Sandbox sandbox, String script) throws IOException {
    return in(sandbox, "/bin/sh", "-c", script);
  }

  public static Ran toTheEnd(RunningCommand command) throws IOException {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    while (true) {
      switch (command.next()) {
        case CommandEvent.Output piece -> (piece.error() ? err : out).writeBytes(piece.bytes());
        case CommandEvent.Ended ended -> {
          return new Ran(
              out.toString(StandardCharsets.UTF_8),
              err.toString(StandardCharsets.UTF_8),
              ended.end());
        }
      }
    }
  }

  public int code() {
    return end.exitCode();
  }

  public String said() {
    return out.strip();
  }
}
