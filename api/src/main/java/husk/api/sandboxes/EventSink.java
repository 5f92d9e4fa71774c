package husk.api.sandboxes;

import husk.api.Answers;
import husk.model.Problem;
import husk.spi.CommandEnd;
import husk.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// Tells of a command in server-sent events: `started`, `output`, and at last `done` or `error`.
/// Output is text; whoever needs every byte asks for frames.
final class EventSink implements CommandSink {
  private final Outgoing out;
  private final TextPieces stdout = new TextPieces();
  private final TextPieces stderr = new TextPieces();

  EventSink(Outgoing out) {
    this.out = out;
  }

  @Override
  public void started(String id) {
    event("started", Map.of("id", id));
  }

  @Override
  public void output(boolean error, byte[] bytes) {
    text(error, (error ? stderr : stdout).next(bytes));
  }

  private void text(boolean error, String text) {
    if (!text.isEmpty()) {
      var data = new LinkedHashMap<String, Object>();
      data.put("stream", error ? "stderr" : "stdout");
      data.put("data", text);
      event("output", data);
    }
  }

  @Override
  public void pulse() {
    write(": still there\n\n");
  }

  @Override
  public void ended(CommandEnd end) {
    text(false, stdout.rest());
    text(true, stderr.rest());
    event("done", CommandView.end(end));
  }

  @Override
  public void problem(Problem problem) {
    var data = new LinkedHashMap<String, Object>();
    data.put("message", problem.text());
    data.putAll(Answers.describe(problem));
    event("error", data);
  }

  private void event(String name, Object data) {
    write("event: " + name + "\ndata: " + Json.text(data) + "\n\n");
  }

  private void write(String text) {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
