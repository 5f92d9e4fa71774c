package husk;

import husk.local.JsonText;
import husk.model.ExecuteRequest;
import husk.model.KernelOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// Writes the bodies of requests to the daemon, each with what it has to know of its caller.
final class Bodies {
  static final byte[] NONE = {};

  private final String client;

  Bodies(HuskOptions options) {
    this.client = options.told();
  }

  byte[] kernel(Optional<String> name, KernelOptions options) {
    var body =
        new JsonText()
            .text("name", name)
            .text("session_name", options.sessionName())
            .strings("tags", options.tags())
            .text("cwd", options.cwd())
            .strings("env", options.env())
            .text("python", options.python())
            .text("kernel", options.kernel())
            .text("startup_code", options.startupCode())
            .text("backend", options.place().backend())
            .text("sandbox", options.place().sandbox())
            .text("profile", options.place().profile());
    if (!options.place().limits().isEmpty()) {
      var limits = new JsonText();
      options.place().limits().forEach((key, value) -> limits.number(key, value.longValue()));
      body.object("limits", limits);
    }
    options.place().liveState().ifPresent(copied -> body.flag("live_state", copied));
    options.idleTimeout().ifPresent(limit -> seconds(body, "idle_timeout", limit));
    return finished(body);
  }

  byte[] execute(Target target, ExecuteRequest request) {
    var body =
        new JsonText()
            .text("execution_id", request.executionId())
            .text("code", request.code())
            .text("language", request.language().wireName())
            .flag("one_shot", request.oneShot())
            .flag("attempt", request.attempt())
            .flag("create", target.create())
            .text("rollback", request.rollback().wireName())
            .flag("preview", request.preview());
    request.timeout().ifPresent(limit -> seconds(body, "timeout", limit));
    request.outputLimit().ifPresent(limit -> body.number("output_limit", (long) limit));
    return finished(body);
  }

  static void seconds(JsonText body, String key, Duration duration) {
    body.number(key, duration.toSeconds() + duration.toNanosPart() / 1e9);
  }

  private byte[] finished(JsonText body) {
    return body.json("client", client).toString().getBytes(StandardCharsets.UTF_8);
  }
}
