package husk.cli;

import husk.local.JsonText;
import husk.spi.CommandEnd;
import husk.spi.CommandInfo;
import java.util.Optional;

/// How the commands of a sandbox are shown.
final class CommandViews {
  private CommandViews() {}

  static JsonText object(String sandbox, CommandInfo info) {
    var view = new JsonText().text("id", info.id()).text("sandbox", sandbox);
    view.strings("command", info.argv()).number("pid", info.pid());
    view.text("status", status(info.end())).json("exit_code", exitCode(info.end()));
    view.text("started_at", info.startedAt().toString());
    view.json("ended_at", info.endedAt().isEmpty() ? "null" : quoted(info));
    view.json("reason", info.end().isEmpty() ? "null" : reason(info.end().get()));
    return view.flag("detached", info.detached());
  }

  private static String quoted(CommandInfo info) {
    return JsonText.quoted(info.endedAt().orElseThrow().toString());
  }

  private static String reason(CommandEnd end) {
    return JsonText.quoted(end.reason().wireName());
  }

  private static String exitCode(Optional<CommandEnd> end) {
    return end.isEmpty() ? "null" : String.valueOf(end.get().exitCode());
  }

  private static String status(Optional<CommandEnd> end) {
    if (end.isEmpty()) {
      return "running";
    }
    return end.get().exitCode() == 0 ? "completed" : "failed";
  }
}
