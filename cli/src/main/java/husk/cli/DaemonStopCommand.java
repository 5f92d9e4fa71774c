package husk.cli;

import husk.local.JsonText;
import husk.model.Problem;
import java.io.IOException;
import java.util.Optional;

/// Stops the daemon; kernels live on unless told otherwise.
final class DaemonStopCommand implements Command {
  private static final int PATIENCE = 1000;

  @Override
  public String name() {
    return "daemon stop";
  }

  @Override
  public String summary() {
    return "Stop the daemon; kernels live on without it";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {Option.flag("kernels", "Destroy all kernels too")};
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) throws IOException {
    boolean json = json(arguments);
    boolean kernels = arguments.has("kernels");
    var daemon = new Daemon(terminal);
    var body = new JsonText().flag("kernels", kernels);
    String accept = json ? Daemon.JSON : Daemon.TEXT;
    // Kernels may be alive without a daemon; then one is needed to end them.
    var reply =
        kernels
            ? Optional.of(daemon.call("POST", "/daemon/stop", accept, daemon.withCaller(body)))
            : daemon.callIfRunning("POST", "/daemon/stop", accept, daemon.withCaller(body));
    if (reply.isEmpty()) {
      terminal.print(json ? "{\n  \"stopped\": false\n}\n" : "no daemon was running\n");
      return ExitCodes.SUCCESS;
    }
    int code = daemon.show(reply.get(), json);
    return code == ExitCodes.SUCCESS ? awaitEnd(daemon) : code;
  }

  /// Returns when the daemon no longer answers, so that another can be started right away.
  private static int awaitEnd(Daemon daemon) throws IOException {
    for (int i = 0; i < PATIENCE; i++) {
      var connection = daemon.door().connect();
      if (connection.isEmpty()) {
        return ExitCodes.SUCCESS;
      }
      connection.get().close();
      Pause.milliseconds(10);
    }
    throw new Problem(
        Problem.Code.DAEMON_UNAVAILABLE, "the daemon was told to stop, but still answers");
  }
}
