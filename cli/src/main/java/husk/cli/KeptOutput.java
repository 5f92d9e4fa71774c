package husk.cli;

import husk.local.JsonText;
import husk.spi.CommandEnd;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// A command's output kept for a report in JSON, at most a megabyte of each stream.
final class KeptOutput implements Output {
  private static final int KEPT = 1 << 20;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private boolean truncated;

  @Override
  public void write(boolean error, byte[] bytes) {
    var kept = error ? err : out;
    int room = Math.min(bytes.length, KEPT - kept.size());
    kept.write(bytes, 0, room);
    truncated |= room < bytes.length;
  }

  String report(String sandbox, int exitCode, CommandEnd end) {
    var report = new JsonText().number("exit_code", exitCode);
    if (end.signal().isPresent()) {
      report.number("signal", end.signal().get().longValue());
    } else {
      report.json("signal", "null");
    }
    report.text("reason", end.reason().wireName());
    report.text("stdout", out.toString(StandardCharsets.UTF_8));
    report.text("stderr", err.toString(StandardCharsets.UTF_8));
    report.text("sandbox", sandbox);
    report.number("wall_ms", end.wallMs()).number("user_ms", end.userMs());
    report.number("system_ms", end.systemMs()).number("max_rss_kb", end.maxRssKb());
    return report.flag("truncated", truncated) + "\n";
  }
}
