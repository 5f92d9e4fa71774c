package husk;

import husk.local.Frame;
import husk.local.Frames;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.OutputItem;
import husk.wire.Json;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Turns the frames of a streamed execution back into the events they were made from.
final class EventFrames {
  private EventFrames() {}

  /// Tells `listener` of everything up to the end, and gives the result.
  static ExecutionResult play(InputStream frames, ExecutionEvent.Listener listener)
      throws IOException {
    while (true) {
      var frame =
          Frames.read(frames)
              .orElseThrow(() -> new EOFException("the stream ended without a result"));
      switch (frame.kind()) {
        case STDOUT -> listener.on(new ExecutionEvent.Stream("stdout", frame.text()));
        case STDERR -> listener.on(new ExecutionEvent.Stream("stderr", frame.text()));
        case EVENT -> event(frame).ifPresent(listener::on);
        case HEARTBEAT -> {}
        case PROBLEM -> throw Problems.read(frame.bytes());
        case RESULT -> {
          var result = Json.read(frame.bytes(), ExecutionResult.class);
          listener.on(new ExecutionEvent.Ended(result));
          return result;
        }
      }
    }
  }

  /// Empty for an event that only a newer Husk knows.
  private static Optional<ExecutionEvent> event(Frame frame) {
    var json = Json.tree(frame.bytes());
    return switch (json.path("event").asString("")) {
      case "started" ->
          Optional.of(
              new ExecutionEvent.Started(
                  json.path("execution_id").asString(""), value(json, "at", Instant.class)));
      case "display" ->
          Optional.of(new ExecutionEvent.Display(value(json, "item", OutputItem.class)));
      case "display_updated" ->
          Optional.of(
              new ExecutionEvent.DisplayUpdated(
                  json.path("display_id").asString(""), value(json, "item", OutputItem.class)));
      case "cleared" -> Optional.of(new ExecutionEvent.Cleared(json.path("wait").asBoolean(false)));
      default -> Optional.empty();
    };
  }

  private static <T> T value(JsonNode event, String field, Class<T> type) {
    return Json.MAPPER.treeToValue(event.path(field), type);
  }
}
