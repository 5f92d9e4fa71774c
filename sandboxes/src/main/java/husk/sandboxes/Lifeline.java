package husk.sandboxes;

import husk.store.SandboxRow;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Sees to it that ready sandboxes end with whoever keeps them, however that ends.
///
/// A sandbox outlives the process that made it, and must not while it is nobody's. A shell waits at
/// the end of a pipe and knows who waits; when the other end closes, as it does when a process is
/// killed, it kills them. What is left of them on disk is in the registry.
final class Lifeline implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");

  /// A process is told from a later one of its number by when it started.
  private static final String SCRIPT =
      """
      held=' '
      while read -r what pid start; do
        case $what in
          hold) held="$held$pid:$start " ;;
          release)
            case $held in
              *" $pid:$start "*) held="${held%% $pid:$start *} ${held#* $pid:$start }" ;;
            esac ;;
          end) exit 0 ;;
        esac
      done
      for one in $held; do
        { read -r stat </proc/${one%:*}/stat; } 2>/dev/null || continue
        set -- ${stat##*) }
        [ "${20}" = "${one#*:}" ] && kill -9 ${one%:*}
      done
      """;

  private @Nullable Process shell;
  private @Nullable Writer line;
  private boolean closed;

  /// It ends with this process from now on.
  synchronized void hold(SandboxRow row) {
    if (line == null && !closed) {
      open();
    }
    say("hold " + row.pid() + " " + row.startTime());
  }

  /// It is somebody's, or gone.
  synchronized void release(SandboxRow row) {
    say("release " + row.pid() + " " + row.startTime());
  }

  private void open() {
    try {
      // A session of its own: a signal to this process and its group is not for the shell.
      var command = new ProcessBuilder("setsid", "/bin/sh", "-c", SCRIPT);
      var started =
          command
              .directory(new File("/"))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      shell = started;
      line = started.outputWriter(StandardCharsets.US_ASCII);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "ready sandboxes would outlive a kill of this process", e);
    }
  }

  private void say(String what) {
    try {
      if (line != null) {
        line.write(what + "\n");
        line.flush();
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "ready sandboxes would outlive a kill of this process", e);
    }
  }

  /// What happens by itself when this process is killed.
  synchronized void snap() {
    try {
      if (line != null && shell != null) {
        line.close();
        shell.waitFor();
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the line was broken before", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    line = null;
  }

  /// Whatever waited has been ended already.
  @Override
  public synchronized void close() {
    closed = true;
    if (line != null) {
      say("end");
      snap();
    }
  }
}
