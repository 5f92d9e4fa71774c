package husk.api.sse;

import husk.api.Answers;
import husk.model.ExecutionEvent;
import husk.model.Problem;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Answers with server-sent events: an execution begun now, or one that is taken up again.
public final class EventStreams {
  private static final Pattern EVENT_ID = Pattern.compile("([0-9a-f]{32})-([0-9]{1,18})");

  private final EventLogs logs;

  public EventStreams(EventLogs logs) {
    this.logs = logs;
  }

  /// Whether the caller asks for events.
  public static boolean wanted(ServerRequest request) {
    return Answers.accept(request).contains("text/event-stream");
  }

  /// Where the caller says it was, by the last event it saw.
  ///
  /// @param executionId of what
  /// @param sequence the event's number
  private record Place(String executionId, long sequence) {}

  private static Optional<Place> place(ServerRequest request) {
    return request
        .headers()
        .first(HeaderNames.create("Last-Event-ID"))
        .map(EVENT_ID::matcher)
        .filter(matcher -> matcher.matches())
        .map(matcher -> new Place(matcher.group(1), Long.parseLong(matcher.group(2))));
  }

  /// Runs an execution and sends its events. A caller that says which event it saw last is sent
  /// those after it, and nothing runs a second time.
  ///
  /// @param cancelWhenLeft whether the execution ends when the caller is gone before it
  public void begin(
      ServerRequest request,
      ServerResponse response,
      String executionId,
      boolean cancelWhenLeft,
      Consumer<ExecutionEvent.Listener> execution) {
    var seen = place(request);
    if (seen.isPresent()) {
      resume(response, seen.get(), cancelWhenLeft);
      return;
    }
    send(response, logs.begin(executionId, execution), 0, cancelWhenLeft);
  }

  /// Sends the events of an execution that was begun elsewhere.
  public void attach(ServerRequest request, ServerResponse response, String executionId) {
    long seen =
        place(request)
            .filter(place -> place.executionId().equals(executionId))
            .map(Place::sequence)
            .orElse(0L);
    resume(response, new Place(executionId, seen), false);
  }

  private void resume(ServerResponse response, Place seen, boolean cancelWhenLeft) {
    // An execution that was not streamed, or whose log is gone, still has its result.
    var known = logs.find(seen.executionId());
    if (known.isPresent()) {
      send(response, known.get(), seen.sequence(), cancelWhenLeft);
      return;
    }
    var log = logs.afterwards(seen.executionId(), seen.sequence() > 0);
    try {
      send(response, log, 0, false);
    } finally {
      log.close();
    }
  }

  private void send(ServerResponse response, EventLog log, long after, boolean cancelWhenLeft) {
    try {
      var sender = new EventSender(log, after, cancelWhenLeft ? 1 : 5);
      sender.awaitFirst();
      log.refusal()
          .ifPresent(
              problem -> {
                throw problem;
              });
      if (!sender.send(response) && cancelWhenLeft) {
        logs.core().cancel(log.executionId);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(Problem.Code.DAEMON_UNAVAILABLE, "the server is shutting down");
    }
  }
}
