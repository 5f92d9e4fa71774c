package husk.core;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs one program of the host to its end.
///
/// @param exitCode its exit code; -1 when it could not be run or took too long
/// @param output what it wrote, both streams together
record Command(int exitCode, String output) {

  static Command run(Duration limit, List<String> argv) {
    Process process;
    try {
      process =
          new ProcessBuilder(argv)
              .redirectErrorStream(true)
              .redirectInput(new java.io.File("/dev/null"))
              .start();
    } catch (IOException e) {
      return new Command(-1, String.valueOf(e.getMessage()));
    }
    var watchdog = Thread.ofVirtual().start(() -> kill(process, limit));
    try (var out = process.getInputStream()) {
      var text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      return new Command(process.waitFor(), text);
    } catch (IOException e) {
      return new Command(-1, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
      return new Command(-1, "interrupted");
    } finally {
      watchdog.interrupt();
    }
  }

  private static void kill(Process process, Duration limit) {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  boolean ok() {
    return exitCode == 0;
  }

  String lastLine() {
    return output.strip().lines().reduce((_, last) -> last).orElse("exit code " + exitCode);
  }
}
