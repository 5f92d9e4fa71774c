package husk.api.sandboxes;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.api.form.Field;
import husk.api.sse.EventStreams;
import husk.core.Service;
import husk.model.Problem;
import husk.wire.Json;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// `/sandboxes/{name}/events`: what happened to a sandbox, page by page, or as it happens.
public final class EventsEndpoint implements Endpoint {
  private static final long LONGEST_WAIT_SECONDS = 60;
  private static final Duration PULSE = Duration.ofSeconds(1);
  private static final HeaderName LAST_EVENT = HeaderNames.create("Last-Event-ID");

  private final Service core;

  public EventsEndpoint(Service core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules.get("/sandboxes/{name}/events", this::events);
  }

  private void events(ServerRequest request, ServerResponse response) {
    var name = Answers.name(request);
    core.sandboxes().require(name);
    long after = Math.max(number(request, SandboxParameters.AFTER), lastSeen(request));
    long wait = Math.min(number(request, SandboxParameters.WAIT), LONGEST_WAIT_SECONDS);
    if (EventStreams.wanted(request)) {
      follow(response, name, after);
      return;
    }
    var page = core.sandboxes().events(name, after, Duration.ofSeconds(wait));
    var events = page.lines().stream().map(Json.MAPPER::readTree).toList();
    Answers.json(request, response, Map.of("events", events, "next", page.next()));
  }

  private static long number(ServerRequest request, Field parameter) {
    return Requests.query(request, parameter).map(JsonNode::longValue).orElse(0L);
  }

  /// How many events a caller had seen that lost its connection.
  private static long lastSeen(ServerRequest request) {
    return request
        .headers()
        .first(LAST_EVENT)
        .filter(id -> id.matches("[0-9]{1,18}"))
        .map(Long::parseLong)
        .orElse(0L);
  }

  /// Sends events until the caller leaves or the sandbox is removed.
  private void follow(ServerResponse response, String name, long after) {
    response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    var out = new Outgoing(response);
    try {
      out.write("retry: 1000\n\n".getBytes(StandardCharsets.UTF_8));
      for (long seen = after; !Thread.currentThread().isInterrupted(); ) {
        seen = send(out, name, seen);
      }
      out.close();
    } catch (Problem removed) {
      out.close();
    } catch (CallerGone gone) {
      // Nobody is left to be told.
    }
  }

  private long send(Outgoing out, String name, long seen) {
    var page = core.sandboxes().events(name, seen, PULSE);
    long number = page.next() - page.lines().size();
    var text = new StringBuilder(page.lines().isEmpty() ? ": still there\n\n" : "");
    for (var line : page.lines()) {
      var type = Json.MAPPER.readTree(line).path("type").asString("event");
      text.append("id: ").append(++number).append("\nevent: ").append(type);
      text.append("\ndata: ").append(line).append("\n\n");
    }
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    return page.next();
  }
}
