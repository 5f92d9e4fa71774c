package husk.local;

import husk.model.Problem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The way to this user's daemon: connects to it, and starts it if there is none.
///
/// However many callers find no daemon at one moment, one of them starts it: the lock on
/// [Locations#startLock] is held from before the last look until the new daemon answers.
public final class DaemonDoor {
  /// File locks belong to the process; its threads take turns here.
  private static final ReentrantLock TURNS = new ReentrantLock();

  private static final int PATIENCE = 1000;
  private static final int PAUSE = 5;

  private final Locations locations;
  private final Map<String, String> environment;

  public DaemonDoor(Locations locations, Map<String, String> environment) {
    this.locations = locations;
    this.environment = environment;
  }

  public Locations locations() {
    return locations;
  }

  /// A connection to the daemon, or empty if none is running.
  public Optional<UnixHttp> connect() {
    return locations.guard() ? knock() : Optional.empty();
  }

  /// A connection to the daemon, started now if none is running.
  public UnixHttp connectOrStart() {
    var connection = connect();
    return connection.isPresent() ? connection.get() : start();
  }

  /// The daemon's launcher in this installation, to be run in the foreground.
  public static Path program(Map<String, String> environment) {
    return DaemonStart.program(environment);
  }

  private UnixHttp start() {
    locations.prepare();
    TURNS.lock();
    try (var file =
            FileChannel.open(
                locations.startLock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = file.lock()) {
      var connection = knock();
      return connection.isPresent()
          ? connection.get()
          : new DaemonStart(locations, environment).run(this);
    } catch (IOException e) {
      throw unavailable("the daemon cannot be started: " + e).causedBy(e);
    } finally {
      TURNS.unlock();
    }
  }

  /// Tries the socket. A full backlog is not an absent daemon: on a virtual thread it fails at
  /// once, so it is tried again.
  Optional<UnixHttp> knock() {
    var socket = locations.socket();
    for (int attempt = 1; Files.exists(socket); attempt++) {
      try {
        return Optional.of(UnixHttp.open(socket));
      } catch (ConnectException _) {
        return Optional.empty();
      } catch (IOException e) {
        if (attempt == PATIENCE && Files.exists(socket)) {
          throw unavailable("the daemon's socket `" + socket + "` does not answer: " + e)
              .causedBy(e);
        }
        pause();
      }
    }
    return Optional.empty();
  }

  static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("interrupted"));
    }
  }

  private static Problem unavailable(String message) {
    return new Problem(
        Problem.Code.DAEMON_UNAVAILABLE, message, "`husk daemon logs` shows what it printed");
  }
}
