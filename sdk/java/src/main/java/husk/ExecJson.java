package husk;

import husk.spi.CommandEnd;
import husk.spi.CommandSpec;
import husk.wire.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Commands as the daemon takes them, and their ends as it tells them.
final class ExecJson {
  private ExecJson() {}

  static byte[] of(CommandSpec command) {
    var body = new LinkedHashMap<String, Object>();
    body.put("command", command.argv());
    body.put("env", command.env());
    body.put("open_stdin", command.input());
    body.put("detached", command.detached());
    body.put("last", command.last());
    command.cwd().ifPresent(folder -> body.put("workdir", folder));
    command.id().ifPresent(id -> body.put("id", id));
    command.window().ifPresent(window -> body.put("terminal", window));
    if (command.timeoutMs() > 0) {
      body.put("timeout", command.timeoutMs() / 1000.0);
    }
    return Json.bytes(body);
  }

  /// How a command ended.
  record End(
      Optional<Integer> code,
      Optional<Integer> signal,
      String reason,
      long wallMs,
      long userMs,
      long systemMs,
      long maxRssKb,
      long dropped) {
    CommandEnd end() {
      return new CommandEnd(
          code, signal, CommandEnd.Reason.of(reason), wallMs, userMs, systemMs, maxRssKb, dropped);
    }
  }

  static byte[] signal(int number) {
    return Json.bytes(Map.of("signal", number));
  }
}
