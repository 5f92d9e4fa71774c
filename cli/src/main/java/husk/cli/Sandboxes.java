package husk.cli;

import husk.local.JsonText;
import husk.local.UnixHttp;
import husk.model.Problem;
import java.io.IOException;

/// The daemon's sandboxes, by name.
final class Sandboxes {
  private static final byte[] NO_BODY = {};

  private final Daemon daemon;

  Sandboxes(Terminal terminal) {
    this.daemon = new Daemon(terminal);
  }

  Daemon daemon() {
    return daemon;
  }

  static String target(String name) {
    return "/sandboxes/" + UnixHttp.segment(name);
  }

  SandboxHandle create(JsonText body) {
    return handle(daemon.call("POST", "/sandboxes", Daemon.JSON, daemon.withCaller(body)));
  }

  /// A running sandbox, which counts as used from now on.
  SandboxHandle use(String name) {
    return handle(daemon.call("POST", target(name) + "/used", Daemon.JSON, NO_BODY));
  }

  SandboxHandle start(String name) {
    return handle(daemon.call("POST", target(name) + "/start", Daemon.JSON, NO_BODY));
  }

  SandboxHandle find(String name) {
    return handle(daemon.call("GET", target(name), Daemon.JSON));
  }

  boolean exists(String name) {
    return !daemon.call("GET", target(name), Daemon.JSON).answer().failed();
  }

  /// Removes a temporary sandbox. It ends by itself too, so a failure here is nobody's business.
  void discard(String name) {
    var connection = daemon.door().connect();
    if (connection.isEmpty()) {
      return;
    }
    try {
      Daemon.exchange(connection.get(), "DELETE", target(name), Daemon.JSON, NO_BODY);
    } catch (IOException _) {
      // The daemon is on its way out; the next one finds what is left.
    }
  }

  static SandboxHandle handle(Daemon.Reply reply) {
    return new SandboxHandle(require(reply));
  }

  /// The text of an answer, or the problem it reports.
  static String require(Daemon.Reply reply) {
    if (reply.answer().failed()) {
      throw Problems.read(reply.text());
    }
    return reply.text();
  }

  static Problem lost(String name, IOException cause) {
    return new Problem(
            Problem.Code.SANDBOX_FAILED,
            "the line to sandbox '" + name + "' was lost: " + cause.getMessage(),
            "`husk sandbox info " + name + "` says whether it still runs",
            "`husk sandbox events " + name + "` says what happened to it")
        .causedBy(cause);
  }
}
