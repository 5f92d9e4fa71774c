package husk.cli;

import husk.local.Locations;
import husk.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Says on standard error what the daemon is doing while a command waits for it: on a terminal in a
/// line that counts the seconds and goes away, elsewhere in a plain line for each step.
///
/// It is over with the first output of the command itself.
final class Waiting extends Thread {
  private static final long PATIENCE_NANOS = 1_000_000_000;
  private static final int TICK = 250;

  private final Terminal terminal;
  private final Path doing;
  private final boolean person;
  private final long began = System.nanoTime();
  private boolean over;
  private String shown = "";

  private Waiting(Terminal terminal, Path doing) {
    super("husk-waiting");
    setDaemon(true);
    this.terminal = terminal;
    this.doing = doing;
    this.person = terminal.errorsToPerson();
  }

  /// Begins, unless nothing is to be said.
  static void begin(Terminal terminal, boolean quiet) {
    if (quiet || !terminal.environment().getOrDefault("HUSK_QUIET", "").isEmpty()) {
      return;
    }
    try {
      var waiting = new Waiting(terminal, Locations.of(terminal.environment()).doing());
      terminal.showing(waiting);
      waiting.start();
    } catch (Problem nowhere) {
      // the command says so itself, if it needs a daemon
    }
  }

  @Override
  public synchronized void run() {
    try {
      while (!over) {
        if (System.nanoTime() - began > PATIENCE_NANOS) {
          show();
        }
        wait(TICK);
      }
    } catch (InterruptedException nobodyDoesThat) {
      // then nothing more is said
    }
  }

  private void show() {
    String text;
    try {
      text = Printable.line(Files.readString(doing).strip());
    } catch (IOException nothingLong) {
      clear();
      return;
    }
    if (person) {
      shown = text;
      terminal.tellPerson(
          "\r\u001b[Khusk: " + text + " … " + (System.nanoTime() - began) / 1_000_000_000 + " s");
    } else if (!text.equals(shown)) {
      shown = text;
      terminal.tellPerson("husk: " + text + "\n");
    }
  }

  private void clear() {
    if (person && !shown.isEmpty()) {
      shown = "";
      terminal.tellPerson("\r\u001b[K");
    }
  }

  synchronized void end() {
    over = true;
    clear();
    notifyAll();
  }
}
