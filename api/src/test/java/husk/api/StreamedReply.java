package husk.api;

import husk.local.Frame;
import husk.local.Frames;
import husk.wire.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// An answer that is read while it is sent. To close it is to leave.
final class StreamedReply implements AutoCloseable {
  private final HttpResponse<InputStream> answer;
  private final BufferedReader lines;

  StreamedReply(HttpResponse<InputStream> answer) {
    this.answer = answer;
    this.lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  record Event(String name, JsonNode data) {}

  int status() {
    return answer.statusCode();
  }

  /// The next event that says something; `end` with nothing when there is none.
  Event next() {
    var name = "";
    try {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring("event: ".length());
        } else if (line.startsWith("data: ")) {
          var data = line.substring("data: ".length()).getBytes(StandardCharsets.UTF_8);
          return new Event(name, Json.tree(data));
        }
      }
      return new Event("end", Json.MAPPER.createObjectNode());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Everything up to the end.
  List<Event> rest() {
    var events = new ArrayList<Event>();
    for (var event = next(); !event.name().equals("end"); event = next()) {
      events.add(event);
    }
    return events;
  }

  /// The id in the first of an answer's frames.
  String frameId() {
    return Json.tree(frame().bytes()).path("id").stringValue();
  }

  Frame frame() {
    try {
      return Frames.read(answer.body()).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      answer.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
