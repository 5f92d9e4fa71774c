package husk.api.rest;

import husk.api.Answers;
import husk.api.observe.Tracing;
import husk.api.sse.EventStreams;
import husk.core.Service;
import husk.local.Frames;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.Problem;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/// How a caller hears of an execution: its result at the end, or frames or events while it runs.
final class ExecutionAnswer {
  private final Service core;
  private final EventStreams events;

  ExecutionAnswer(Service core, EventStreams events) {
    this.core = core;
    this.events = events;
  }

  /// Runs something to its end, telling the listener of it meanwhile.
  @FunctionalInterface
  interface Execution {
    ExecutionResult run(ExecutionEvent.Listener listener);
  }

  /// Runs it and answers as the caller wants.
  ///
  /// @param cancelWhenLeft whether it ends when the caller is gone before it
  void send(
      ServerRequest request,
      ServerResponse response,
      ExecuteRequest asked,
      boolean cancelWhenLeft,
      Execution execution) {
    Execution traced =
        listener ->
            Tracing.execution(request, Answers.name(request), () -> execution.run(listener));
    if (EventStreams.wanted(request)) {
      events.begin(request, response, asked.executionId(), cancelWhenLeft, traced::run);
    } else if (Answers.accept(request).startsWith(Frames.MEDIA_TYPE)) {
      frames(request, response, traced);
    } else if (cancelWhenLeft) {
      new AttendedAnswer(core, asked.executionId())
          .send(request, response, () -> traced.run(ExecutionEvent.Listener.NONE));
    } else {
      result(request, response, Unhurried.run(() -> traced.run(ExecutionEvent.Listener.NONE)));
    }
  }

  static void result(ServerRequest request, ServerResponse response, ExecutionResult result) {
    response.header(Answers.STATUS, result.status().wireName());
    Answers.json(request, response, result);
  }

  private static void frames(ServerRequest request, ServerResponse response, Execution execution) {
    response.header(HeaderNames.CONTENT_TYPE, Frames.MEDIA_TYPE);
    try (var frames =
        new FrameSender(
            response.outputStream(),
            Answers.flag(request, "plain"),
            Answers.flag(request, "pretty"))) {
      try {
        Unhurried.run(() -> execution.run(frames));
      } catch (Problem problem) {
        frames.problem(problem);
      }
    }
  }
}
