package husk.cli;

import husk.local.HttpAnswer;
import husk.local.UnixHttp;
import husk.model.Problem;
import java.io.IOException;
import java.util.Map;

/// One execution asked of the daemon, whose result is fetched even if the daemon is lost and comes
/// back meanwhile, and which is cancelled if this process is told to end.
final class Execution {
  private static final int ATTEMPTS = 5;

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

  /// Runs it and gives the answer, for whoever prints it and goes on.
  Daemon.Reply answer() {
    try (var _ = cancelledAtEnd()) {
      return result();
    }
  }

  private Daemon.Reply result() {
    try {
      return Daemon.exchange(connect(), "POST", target, Daemon.JSON, body);
    } catch (IOException e) {
      return afterLoss(e);
    }
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
  Daemon.Reply afterLoss(IOException lost) {
    IOException latest = lost;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        var reply =
            Daemon.exchange(
                daemon.door().connectOrStart(),
                "GET",
                "/executions/" + id + "?wait=1",
                Daemon.JSON,
                new byte[0]);
        if (reply.answer().status() == 404) {
          throw forgotten(lost);
        }
        return reply;
      } catch (IOException e) {
        latest = e;
      }
    }
    throw Daemon.lost(latest);
  }

  private Problem forgotten(IOException lost) {
    return new Problem(
            Problem.Code.DAEMON_UNAVAILABLE,
            "the daemon was lost, and the new one knows nothing of execution `"
                + id
                + "`: it may or may not have run",
            "look at the kernel's variables before you run the code again",
            "`husk daemon logs` shows what happened to the daemon")
        .causedBy(lost);
  }
}
