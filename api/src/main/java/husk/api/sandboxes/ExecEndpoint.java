package husk.api.sandboxes;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.Service;
import husk.model.Problem;
import husk.spi.RunningCommand;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.Map;

/// `/sandboxes/{name}/exec`: a command, its output at the end or as it comes, and meanwhile its
/// standard input, signals and the size of its terminal.
public final class ExecEndpoint implements Endpoint {
  private static final int ID = 3;

  private final Service core;
  private final Lines<RunningCommand> lines;
  private final CommandAnswer answer;

  ExecEndpoint(Service core, Lines<RunningCommand> lines) {
    this.core = core;
    this.lines = lines;
    this.answer = new CommandAnswer(lines);
  }

  @Override
  public void register(Routes rules) {
    rules
        .post("/sandboxes/{name}/exec", this::exec)
        .post("/sandboxes/{name}/exec/{id}/stdin", this::input)
        .post("/sandboxes/{name}/exec/{id}/signal", this::signal)
        .post("/sandboxes/{name}/exec/{id}/resize", this::resize);
  }

  private void exec(ServerRequest request, ServerResponse response) {
    var sandbox = Inside.of(core, request);
    var body = Requests.body(request, CommandForms.EXEC);
    boolean streamed = CommandAnswer.streamed(request);
    if (body.openStdin() && !streamed) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`open_stdin` is for commands whose output is streamed",
          "send `Accept: text/event-stream`, or the input as `stdin`");
    }
    var input = body.input();
    var spec = body.spec();
    try (var command = Inside.ask(() -> sandbox.run(spec))) {
      if (spec.input()) {
        feed(command, input, !body.openStdin());
      }
      if (streamed) {
        answer.stream(request, response, Answers.name(request), command);
      } else {
        answer.whole(request, response, command, Finished::json);
      }
    }
  }

  /// On a thread of its own: a command that writes before it has read everything must be listened
  /// to meanwhile.
  private static void feed(RunningCommand command, byte[] input, boolean whole) {
    Thread.ofVirtual()
        .name("husk-stdin")
        .start(
            () -> {
              try {
                command.input(input, 0, input.length);
                if (whole) {
                  command.endInput();
                }
              } catch (IOException e) {
                // It has ended without reading all of it, as commands may.
              }
            });
  }

  /// A sandbox that is not there is told first, then a body that is wrong.
  private void requireSandbox(ServerRequest request) {
    core.sandboxes().require(Answers.name(request));
  }

  private RunningCommand line(ServerRequest request) {
    return lines.require(Answers.name(request), Routes.segment(request.path(), ID));
  }

  private void input(ServerRequest request, ServerResponse response) {
    requireSandbox(request);
    var command = line(request);
    boolean end = Requests.flag(request, SandboxParameters.END);
    long bytes = Inputs.pass(request, command::input);
    if (end) {
      Inputs.tell(command::endInput);
    }
    Answers.json(request, response, Map.of("bytes", bytes));
  }

  private void signal(ServerRequest request, ServerResponse response) {
    requireSandbox(request);
    var body = Requests.bodyIfAny(request, CommandForms.SIGNAL);
    int number = Signals.number(body.signal().orElse("TERM"));
    var command = line(request);
    Inputs.tell(() -> command.signal(number));
    Answers.json(request, response, Map.of("signal", number));
  }

  private void resize(ServerRequest request, ServerResponse response) {
    requireSandbox(request);
    var window = Requests.body(request, CommandForms.WINDOW).window();
    var command = line(request);
    Inputs.tell(() -> command.resize(window));
    Answers.json(request, response, window);
  }
}
