package husk.app;

import husk.local.Locations;
import husk.model.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.StandardOpenOption;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Starts the daemon, unless there is one already.
public final class DaemonMain {
  private static final Logger LOG = Logger.getLogger("husk.daemon");

  private DaemonMain() {}

  public static void main(String[] arguments) {
    Logs.configure();
    int exit = 0;
    try {
      run();
    } catch (Problem problem) {
      // Whoever started it is shown these lines: they say what to do, and not where in the code.
      LOG.log(Level.SEVERE, problem.text() + " " + problem.remedies());
      LOG.log(Level.FINE, "", problem);
      exit = 4;
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.SEVERE, "the daemon failed", e);
      exit = 70;
    }
    // Virtual threads that still read from kernels must not keep the process.
    System.exit(exit);
  }

  private static void run() throws IOException {
    var locations = Locations.of(System.getenv());
    locations.prepare();
    try (var file =
        FileChannel.open(
            locations.runtime().resolve("daemon.lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      @Nullable FileLock lock = file.tryLock();
      if (lock == null) {
        LOG.info("another daemon serves " + locations.socket());
        return;
      }
      Daemon.serve(locations);
    }
  }
}
