package husk.api.sandboxes;

import husk.api.Answers;
import husk.api.sse.EventStreams;
import husk.local.Frames;
import husk.model.Problem;
import husk.spi.CommandEvent;
import husk.spi.RunningCommand;
import husk.wire.Json;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;

/// How a caller hears of a command: its whole output at the end, or frames or events while it runs.
/// When the caller leaves, the line to the command is closed; unless it is detached it ends.
final class CommandAnswer {
  private final Lines<RunningCommand> lines;

  CommandAnswer(Lines<RunningCommand> lines) {
    this.lines = lines;
  }

  static boolean streamed(ServerRequest request) {
    return EventStreams.wanted(request) || framed(request);
  }

  private static boolean framed(ServerRequest request) {
    return Answers.accept(request).startsWith(Frames.MEDIA_TYPE);
  }

  /// Sends what it says as it says it.
  void stream(
      ServerRequest request, ServerResponse response, String sandbox, RunningCommand command) {
    var out = new Outgoing(response);
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    response.header(HeaderNames.create("X-Accel-Buffering"), "no");
    response.header(
        HeaderNames.CONTENT_TYPE, framed(request) ? Frames.MEDIA_TYPE : "text/event-stream");
    var sink = framed(request) ? new FrameSink(out) : new EventSink(out);
    try (var _ = lines.hold(sandbox, command.id(), command);
        var _ = Pulse.start(sink::pulse, command::close)) {
      sink.started(command.id());
      relay(command, sink);
      out.close();
    } catch (CallerGone gone) {
      command.close();
    }
  }

  private static void relay(RunningCommand command, CommandSink sink) {
    try {
      while (true) {
        switch (command.next()) {
          case CommandEvent.Output piece -> sink.output(piece.error(), piece.bytes());
          case CommandEvent.Ended ended -> {
            sink.ended(ended.end());
            return;
          }
        }
      }
    } catch (Problem problem) {
      sink.problem(problem);
    } catch (IOException e) {
      sink.problem(Inside.lost(e));
    }
  }

  /// Waits for its end and sends everything at once. Blanks go out meanwhile; in front of JSON they
  /// mean nothing.
  void whole(
      ServerRequest request,
      ServerResponse response,
      RunningCommand command,
      Function<Finished, Map<String, Object>> view) {
    var out = new Outgoing(response);
    response.header(HeaderNames.CONTENT_TYPE, "application/json");
    try {
      var answer = answer(command, out, view);
      boolean pretty = Answers.flag(request, "pretty");
      var text = pretty ? Json.pretty(answer) + "\n" : Json.text(answer);
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.close();
    } catch (CallerGone gone) {
      command.close();
    }
  }

  private static Map<String, Object> answer(
      RunningCommand command, Outgoing out, Function<Finished, Map<String, Object>> view) {
    try (var _ = Pulse.start(() -> out.write(' '), command::close)) {
      return view.apply(Finished.await(command));
    } catch (IOException e) {
      return unlessBegun(out, Inside.lost(e));
    } catch (Problem problem) {
      return unlessBegun(out, problem);
    }
  }

  /// A status that was sent cannot be taken back; then the body alone says what went wrong.
  private static Map<String, Object> unlessBegun(Outgoing out, Problem problem) {
    if (out.withdraw()) {
      throw problem;
    }
    return Answers.describe(problem);
  }
}
