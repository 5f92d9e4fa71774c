package husk.cli;

import husk.local.DaemonDoor;
import java.io.IOException;

/// Runs the daemon in the foreground.
final class DaemonRunCommand implements Command {
  @Override
  public String name() {
    return "daemon run";
  }

  @Override
  public String summary() {
    return "Run the daemon in the foreground";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) throws IOException {
    var process =
        new ProcessBuilder(DaemonDoor.program(terminal.environment()).toString())
            .inheritIO()
            .start();
    while (true) {
      try {
        return process.waitFor();
      } catch (InterruptedException _) {
        process.destroy();
      }
    }
  }
}
