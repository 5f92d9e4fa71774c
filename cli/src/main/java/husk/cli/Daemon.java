package husk.cli;

import husk.local.DaemonDoor;
import husk.local.Environment;
import husk.local.HttpAnswer;
import husk.local.JsonText;
import husk.local.Locations;
import husk.local.UnixHttp;
import husk.model.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/// Asks the daemon and passes its answers on.
final class Daemon {
  static final String JSON = "application/json";
  static final String TEXT = "text/plain";

  private static final byte[] NO_BODY = {};

  private final Terminal terminal;
  private final DaemonDoor door;

  Daemon(Terminal terminal) {
    this.terminal = terminal;
    this.door = new DaemonDoor(Locations.of(terminal.environment()), terminal.environment());
  }

  DaemonDoor door() {
    return door;
  }

  /// Asks, prints the answer, and gives the exit code.
  int get(String target, boolean json) {
    return show(call("GET", target, json ? JSON : TEXT), json);
  }

  int get(String target, String accept) {
    return show(call("GET", target, accept), false);
  }

  int delete(String target, boolean json) {
    return show(call("DELETE", target, json ? JSON : TEXT), json);
  }

  int post(String target, JsonText body, boolean json) {
    return show(call("POST", target, json ? JSON : TEXT, withCaller(body)), json);
  }

  /// The answer, read whole.
  Reply call(String method, String target, String accept) {
    return call(method, target, accept, NO_BODY);
  }

  Reply call(String method, String target, String accept, byte[] body) {
    try {
      return exchange(door.connectOrStart(), method, target, accept, body);
    } catch (IOException e) {
      if (!method.equals("GET")) {
        throw lost(e);
      }
    }
    // The daemon may have been on its way out; a question can be asked twice.
    try {
      return exchange(door.connectOrStart(), method, target, accept, body);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /// The answer of a running daemon, or empty if there is none to ask.
  Optional<Reply> callIfRunning(String method, String target, String accept, byte[] body) {
    var connection = door.connect();
    if (connection.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(exchange(connection.get(), method, target, accept, body));
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /// The answer, read whole; an [IOException] if the daemon was lost on the way.
  static Reply exchange(
      UnixHttp connection, String method, String target, String accept, byte[] body)
      throws IOException {
    try (connection) {
      var answer =
          connection.request(method, pretty(target, accept), Map.of("Accept", accept), body);
      return new Reply(answer, answer.body().readAllBytes());
    }
  }

  /// Prints an answer, or the problem it reports, and gives the exit code.
  int show(Reply reply, boolean json) {
    if (reply.answer().failed()) {
      return showProblem(reply, json);
    }
    if (json) {
      terminal.answer(reply.line());
    } else {
      terminal.print(Printable.lines(reply.text()));
    }
    return ExitCodes.of(reply.answer());
  }

  private int showProblem(Reply reply, boolean json) {
    if (json && terminal.speaksToPerson()) {
      Problems.show(Problems.read(reply.text()), false, terminal);
      return ExitCodes.of(reply.answer());
    }
    String text = json ? reply.text() : Printable.lines(reply.text());
    terminal.printError(!json && terminal.colourErrors() ? Problems.coloured(text) : text);
    return ExitCodes.of(reply.answer());
  }

  /// Prints a text of somebody else's as it is; only a terminal is spared its control characters.
  int showRaw(Reply reply) {
    if (reply.answer().failed()) {
      return showProblem(reply, false);
    }
    if (terminal.showsPerson()) {
      terminal.print(Printable.lines(reply.text()));
    } else {
      terminal.print(reply.line());
    }
    return ExitCodes.of(reply.answer());
  }

  /// The body of a request, with what the daemon has to know of its caller.
  byte[] withCaller(JsonText body) {
    return body.object("client", Environment.ofCaller(terminal.environment(), terminal.cwd()))
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  static Problem lost(IOException cause) {
    return new Problem(
            Problem.Code.DAEMON_UNAVAILABLE,
            "the connection to the daemon was lost: " + cause.getMessage(),
            "try again; `husk daemon logs` shows what happened")
        .causedBy(cause);
  }

  private static String pretty(String target, String accept) {
    if (!accept.equals(JSON)) {
      return target;
    }
    return target + (target.indexOf('?') < 0 ? "?pretty=1" : "&pretty=1");
  }

  /// An answer that was read whole.
  static final class Reply {
    private final HttpAnswer answer;
    private final byte[] body;

    Reply(HttpAnswer answer, byte[] body) {
      this.answer = answer;
      this.body = body;
    }

    HttpAnswer answer() {
      return answer;
    }

    String text() {
      return new String(line(), StandardCharsets.UTF_8);
    }

    /// The body, ending with a line break if there is any of it.
    byte[] line() {
      if (body.length == 0 || body[body.length - 1] == '\n') {
        return body;
      }
      byte[] line = Arrays.copyOf(body, body.length + 1);
      line[body.length] = '\n';
      return line;
    }
  }
}
