package husk.cli;

import husk.model.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Prints the daemon's log, without starting one.
final class DaemonLogsCommand implements Command {
  @Override
  public String name() {
    return "daemon logs";
  }

  @Override
  public String summary() {
    return "Print the daemon's log";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT;
  }

  @Override
  public Option[] options() {
    return new Option[] {Option.flag("follow", "Go on as it grows").as("f")};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) throws IOException {
    Path log = new Daemon(terminal).door().locations().log();
    boolean follow = arguments.has("follow");
    if (!Files.exists(log) && !follow) {
      throw new Problem(
          Problem.Code.DAEMON_UNAVAILABLE, "there is no log at `" + log + "`; no daemon ran yet");
    }
    long printed = 0;
    do {
      printed = print(log, printed, terminal);
      if (follow) {
        Pause.milliseconds(200);
      }
    } while (follow);
    return ExitCodes.SUCCESS;
  }

  /// Prints what was added after the first `printed` bytes; all of a log that was begun anew.
  private static long print(Path log, long printed, Terminal terminal) throws IOException {
    if (!Files.exists(log)) {
      return 0;
    }
    try (var file = FileChannel.open(log)) {
      long at = printed > file.size() ? 0 : printed;
      var buffer = ByteBuffer.allocate(64 * 1024);
      for (int count = file.read(buffer, at); count > 0; count = file.read(buffer, at)) {
        terminal.print(Arrays.copyOf(buffer.array(), count));
        at += count;
        buffer.clear();
      }
      return at;
    }
  }
}
