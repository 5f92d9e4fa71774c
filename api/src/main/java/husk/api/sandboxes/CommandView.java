package husk.api.sandboxes;

import husk.spi.CommandEnd;
import husk.spi.CommandInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// How commands are shown to programs.
final class CommandView {
  private CommandView() {}

  /// How one ended: as a shell tells it, then in detail.
  static Map<String, Object> end(CommandEnd end) {
    var view = new LinkedHashMap<String, Object>();
    view.put("exit_code", end.exitCode());
    view.put("success", end.exitCode() == 0);
    view.put("code", end.code());
    view.put("signal", end.signal());
    view.put("reason", end.reason().wireName());
    view.put("wall_ms", end.wallMs());
    view.put("user_ms", end.userMs());
    view.put("system_ms", end.systemMs());
    view.put("max_rss_kb", end.maxRssKb());
    view.put("dropped", end.dropped());
    return view;
  }

  static Map<String, Object> info(String sandbox, CommandInfo info) {
    var view = new LinkedHashMap<String, Object>();
    view.put("id", info.id());
    view.put("sandbox", sandbox);
    view.put("command", info.argv());
    view.put("pid", info.pid());
    view.put("status", status(info.end()));
    view.put("exit_code", info.end().map(CommandEnd::exitCode));
    view.put("started_at", info.startedAt());
    view.put("ended_at", info.endedAt());
    view.put("detached", info.detached());
    view.put("end", info.end().map(CommandView::end));
    return view;
  }

  private static String status(Optional<CommandEnd> end) {
    return end.map(how -> how.exitCode() == 0 ? "completed" : "failed").orElse("running");
  }
}
