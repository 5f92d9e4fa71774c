package husk.api.listen;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Routes;
import husk.core.Core;
import husk.model.Problem;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// `/listeners`, on the daemon's own socket alone: opens it to TCP and closes it again.
public final class ListenersEndpoint implements Endpoint {
  private static final int FOLLOWED_LINES = 1000;

  private final Listeners listeners;
  private final ListenerRequests requests;

  public ListenersEndpoint(Core core, Listeners listeners) {
    this.listeners = listeners;
    this.requests = new ListenerRequests(core);
  }

  @Override
  public void register(Routes routes) {
    routes
        .get("/listeners", this::list)
        .post("/listeners", this::open)
        .get("/listeners/{id}", this::one)
        .get("/listeners/{id}/log", this::log)
        .delete("/listeners/{id}", this::close);
  }

  private void list(ServerRequest request, ServerResponse response) {
    var all = listeners.all().stream().map(Listener::describe).toList();
    Answers.json(request, response, Map.of("listeners", all));
  }

  private void open(ServerRequest request, ServerResponse response) {
    var body = Answers.body(request, ListenerRequests.Body.class);
    var listener = listeners.open(requests.spec(body));
    response.status(Status.CREATED_201);
    Answers.json(request, response, listener.describe());
  }

  private void one(ServerRequest request, ServerResponse response) {
    Answers.json(request, response, named(request).describe());
  }

  private void close(ServerRequest request, ServerResponse response) {
    var drain = request.query().first("drain").map(ListenersEndpoint::seconds).orElse(10.0);
    boolean drained = listeners.close(named(request), Duration.ofMillis(Math.round(drain * 1000)));
    Answers.json(request, response, Map.of("closed", true, "drained", drained));
  }

  private static double seconds(String text) {
    try {
      double seconds = Double.parseDouble(text);
      if (seconds >= 0 && seconds <= 86_400) {
        return seconds;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new Problem(
        Problem.Code.INVALID_REQUEST, "`drain` is `" + text + "`, not a number of seconds");
  }

  private Listener named(ServerRequest request) {
    return listeners.require(Routes.segment(request.path(), 1));
  }

  /// Lines of the access log as they come, until the listener is closed.
  private void log(ServerRequest request, ServerResponse response) throws IOException {
    var listener = named(request);
    var lines = new ArrayBlockingQueue<String>(FOLLOWED_LINES);
    // Whoever reads too slowly misses lines; requests do not wait for it.
    Consumer<String> follower = line -> lines.offer(line);
    listener.accessLog.follow(follower);
    response.header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
    try (var out = response.outputStream()) {
      out.flush();
      while (listener.closed().getCount() > 0 || !lines.isEmpty()) {
        var line = lines.poll(1, TimeUnit.SECONDS);
        // An empty line now and then finds out whether anybody is still there.
        out.write(((line == null ? "" : line) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      listener.accessLog.leave(follower);
    }
  }
}
