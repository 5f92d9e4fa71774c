package husk.api.sse;

import husk.api.Answers;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.OutputItem;
import husk.model.Problem;
import husk.wire.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Events as text: a name, and data as JSON on one line.
final class EventText {
  private EventText() {}

  /// The events to send for one that happened.
  static List<String> of(ExecutionEvent event) {
    return switch (event) {
      case ExecutionEvent.Started(var executionId, var at) ->
          List.of(text("started", Map.of("execution_id", executionId, "at", at)));
      case ExecutionEvent.Stream(var name, var text) ->
          List.of(text("stream", ordered("name", name, "text", text)));
      case ExecutionEvent.Display(var item) -> List.of(text(kind(item), item));
      case ExecutionEvent.DisplayUpdated(var id, var item) ->
          List.of(text("display_updated", ordered("display_id", id, "item", item)));
      case ExecutionEvent.Cleared(var onNext) -> List.of(text("cleared", Map.of("wait", onNext)));
      case ExecutionEvent.Ended(var result) -> ended(result);
    };
  }

  /// The value of the last expression is the result; everything else that is shown is a display.
  private static String kind(OutputItem item) {
    return item.kind().equals("execute_result") ? "result" : "display";
  }

  private static List<String> ended(ExecutionResult result) {
    var done = text("done", result);
    return result.error().map(error -> List.of(text("error", error), done)).orElse(List.of(done));
  }

  static String problem(Problem problem) {
    return text("problem", Answers.describe(problem));
  }

  /// Says that events are missing here.
  static String gap(String why) {
    return text("gap", Map.of("reason", why));
  }

  private static String text(String name, Object data) {
    return "event: " + name + "\ndata: " + Json.text(data) + "\n\n";
  }

  private static Map<String, Object> ordered(
      String key, Object value, String otherKey, Object otherValue) {
    var map = new LinkedHashMap<String, Object>();
    map.put(key, value);
    map.put(otherKey, otherValue);
    return map;
  }
}
