package husk.cli;

import husk.local.HttpAnswer;
import husk.local.Locations;
import husk.local.UnixHttp;
import husk.model.Problem;
import java.io.IOException;
import java.util.Map;

/// One execution asked of the daemon, whose result is fetched even if the daemon is lost and comes
/// back meanwhile, and which is cancelled if this process is told to end.
final class Execution {
  private static final int MOST_LOSSES = 10;
  private static final int STILL_RUNNING = 202;
  private static final int NOT_FOUND = 404;

  private final Daemon daemon;
  private final String id;
  private final String target;
  private final byte[] body;

  Execution(Daemon daemon, String id, String target, byte[] body) {
    this.daemon = daemon;
    this.id = id;
    this.target = target;
    this.body = body;
  }

  /// Runs it, prints the result, and gives the exit code. It is over once the result is printed.
  int show() {
    try (var _ = cancelledAtEnd()) {
      return daemon.show(result(), true);
    }
  }

  /// Runs it and prints the result with its images in files.
  int show(Images images, Terminal terminal) {
    var reply = answer();
    if (reply.answer().failed()) {
      return daemon.show(reply, true);
    }
    terminal.print(images.save(reply.text()));
    return ExitCodes.of(reply.answer());
  }

  /// Runs it and gives the answer, for whoever prints it and goes on.
  Daemon.Reply answer() {
    try (var _ = cancelledAtEnd()) {
      return result();
    }
  }

  private Daemon.Reply result() {
    try {
      return post();
    } catch (IOException e) {
      return afterLoss(e);
    }
  }

  private Daemon.Reply post() throws IOException {
    return unlessStopping(Daemon.exchange(connect(), "POST", target, Daemon.JSON, body));
  }

  /// A daemon that stops while the code runs on is a daemon lost: the next one knows the result.
  private static Daemon.Reply unlessStopping(Daemon.Reply reply) throws IOException {
    var problem = reply.answer().header("Husk-Problem");
    if (problem.filter(Problem.Code.DAEMON_UNAVAILABLE.wireName()::equals).isPresent()) {
      throw new IOException("the daemon stopped");
    }
    return reply;
  }

  /// Begins it and gives the answer as it comes; the connection is the caller's to close.
  HttpAnswer begin(UnixHttp connection, String query, String accept) throws IOException {
    return connection.request("POST", target + query, Map.of("Accept", accept), body);
  }

  UnixHttp connect() {
    return daemon.door().connectOrStart();
  }

  Cancellation cancelledAtEnd() {
    return Cancellation.arm(daemon, id);
  }

  /// The result, asked for by its id: the daemon was lost, the kernel and its execution were not.
  /// It is in the registry before its kernel hears of it, so what the next daemon does not know has
  /// not begun, and is sent again.
  Daemon.Reply afterLoss(IOException lost) {
    IOException latest = lost;
    for (int attempt = 0; attempt < MOST_LOSSES; attempt++) {
      try {
        var reply = known();
        if (reply.answer().status() != NOT_FOUND) {
          return reply;
        }
        if (daemon.door().locations().store() == Locations.Store.MEMORY) {
          throw forgotten(lost);
        }
        return post();
      } catch (IOException e) {
        latest = e;
      }
    }
    throw Daemon.lost(latest);
  }

  private Daemon.Reply known() throws IOException {
    var asked = "/executions/" + id + "?wait=1";
    while (true) {
      var reply = Daemon.exchange(connect(), "GET", asked, Daemon.JSON, new byte[0]);
      if (reply.answer().status() != STILL_RUNNING) {
        return unlessStopping(reply);
      }
      // Another process than the daemon runs it; its result will be in the registry.
      Pause.milliseconds(20);
    }
  }

  private Problem forgotten(IOException lost) {
    return new Problem(
            Problem.Code.DAEMON_UNAVAILABLE,
            "the daemon was lost, and with it the registry that it kept in memory; execution `"
                + id
                + "` may or may not have run",
            "look at the kernel's variables before you run the code again",
            "`husk daemon logs` shows what happened to the daemon")
        .causedBy(lost);
  }
}
