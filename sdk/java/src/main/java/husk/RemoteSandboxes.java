package husk;

import husk.local.UnixHttp;
import husk.model.Problem;
import husk.wire.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Sandboxes managed by the daemon.
final class RemoteSandboxes implements SandboxDesk {
  private final Connections connections;
  private final String client;

  /// @param client who asks, as JSON
  RemoteSandboxes(Connections connections, String client) {
    this.connections = connections;
    this.client = client;
  }

  static String path(String name) {
    if (name.isEmpty()) {
      throw new Problem(Problem.Code.SANDBOX_NOT_FOUND, "Sandbox '' not found: the name is empty");
    }
    return "/sandboxes/" + UnixHttp.segment(name);
  }

  private SandboxRecord ask(String method, String target, Map<String, Object> body) {
    return connections.ask(method, target, Json.bytes(body)).as(SandboxJson.class).record();
  }

  @Override
  public SandboxRecord create(SandboxOptions options) {
    var body = options.body();
    body.put("client", Json.tree(client.getBytes(StandardCharsets.UTF_8)));
    return connections
        .askOnce("POST", "/sandboxes", Json.bytes(body))
        .as(SandboxJson.class)
        .record();
  }

  @Override
  public SandboxRecord info(String name) {
    return connections.ask("GET", path(name), Bodies.NONE).as(SandboxJson.class).record();
  }

  @Override
  public List<SandboxRecord> list(Map<String, String> labels) {
    var query = new StringBuilder();
    labels.forEach(
        (key, value) ->
            query
                .append(query.isEmpty() ? "?label=" : "&label=")
                .append(UnixHttp.segment(key + "=" + value)));
    var all = connections.ask("GET", "/sandboxes" + query, Bodies.NONE).as(SandboxJson.All.class);
    return all.sandboxes().stream().map(SandboxJson::record).toList();
  }

  @Override
  public SandboxRecord start(String name) {
    return ask("POST", path(name) + "/start", Map.of());
  }

  @Override
  public SandboxRecord stop(String name) {
    return ask("POST", path(name) + "/stop", Map.of());
  }

  @Override
  public boolean remove(String name) {
    return connections
        .ask("DELETE", path(name), Bodies.NONE)
        .as(SandboxJson.Removed.class)
        .removed();
  }

  @Override
  public SandboxRecord extend(String name, Duration by) {
    return connections
        .askOnce("POST", path(name) + "/extend", Json.bytes(Map.of("seconds", by.toSeconds())))
        .as(SandboxJson.class)
        .record();
  }

  @Override
  public SandboxRecord describe(
      String name, Optional<Map<String, String>> labels, Optional<String> description) {
    var body = new LinkedHashMap<String, Object>();
    labels.ifPresent(all -> body.put("labels", all));
    description.ifPresent(text -> body.put("description", text));
    return ask("PATCH", path(name), body);
  }

  @Override
  public SandboxRecord egress(
      String name, List<String> allow, List<String> deny, List<String> forget) {
    return ask(
        "POST", path(name) + "/egress", Map.of("allow", allow, "deny", deny, "forget", forget));
  }

  @Override
  public SandboxEvents events(String name, long after, Duration wait) {
    var query = "?after=" + after + "&wait=" + wait.toSeconds();
    return connections
        .ask("GET", path(name) + "/events" + query, Bodies.NONE)
        .as(SandboxEvents.class);
  }

  @Override
  public husk.spi.Sandbox inside(String name) {
    return new RemoteSandbox(connections, name);
  }
}
