package husk.local;

import husk.model.Problem;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/// Starts the daemon's process, in a session of its own, and waits until it answers.
final class DaemonStart {
  private static final long LIMIT_NANOS = 60_000_000_000L;
  private static final long LARGEST_LOG = 8 << 20;
  private static final int SHOWN_LINES = 12;

  /// What a shell says of who was killed: by the system for want of memory, or by somebody.
  private static final int KILLED = 128 + 9;

  private static final int MOST_KILLS = 10;

  private final Locations locations;
  private final Map<String, String> environment;

  DaemonStart(Locations locations, Map<String, String> environment) {
    this.locations = locations;
    this.environment = environment;
  }

  UnixHttp run(DaemonDoor door) throws IOException {
    Path program = program(environment);
    long logged = rotateLog();
    Process process = spawn(program);
    int kills = 0;
    long start = System.nanoTime();
    while (true) {
      boolean alive = process.isAlive();
      var connection = door.knock();
      if (connection.isPresent()) {
        return connection.get();
      }
      if (!alive && process.exitValue() == KILLED && kills++ < MOST_KILLS) {
        process = spawn(program);
        continue;
      }
      if (!alive) {
        throw failed("the daemon ended with code " + process.exitValue() + " at its start", logged);
      }
      if (System.nanoTime() - start > LIMIT_NANOS) {
        process.destroy();
        throw failed("the daemon did not answer within 60 seconds of its start", logged);
      }
      DaemonDoor.pause();
    }
  }

  /// The daemon's launcher in this installation.
  static Path program(Map<String, String> environment) {
    var dist = System.getProperty("husk.dist", environment.getOrDefault("HUSK_DIST", ""));
    if (dist.isBlank()) {
      throw new Problem(
          Problem.Code.DAEMON_UNAVAILABLE,
          "no daemon is running, and it is not known where Husk is installed",
          "use the `husk` launcher, or set HUSK_DIST to the installation's folder");
    }
    Path program = Path.of(dist).toAbsolutePath().resolve("bin/husk-daemon");
    if (!Files.isExecutable(program)) {
      throw new Problem(
          Problem.Code.DAEMON_UNAVAILABLE,
          "no daemon is running, and it cannot be started: `" + program + "` is not a program",
          "install Husk again, or set HUSK_DIST to the installation's folder");
    }
    return program;
  }

  private Process spawn(Path program) {
    var builder = new ProcessBuilder("setsid", program.toString());
    builder.directory(new File("/"));
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(Redirect.appendTo(locations.log().toFile()));
    var inherited = Environment.forDaemon(environment);
    Locations.makeAbsolute(inherited);
    builder.environment().clear();
    builder.environment().putAll(inherited);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.TOOL_MISSING,
              "the daemon cannot be started through `setsid`: " + e.getMessage(),
              "install util-linux, which has it")
          .causedBy(e);
    }
  }

  /// Puts a long log aside; gives the length of the one that will be written to.
  private long rotateLog() throws IOException {
    Path log = locations.log();
    if (!Files.exists(log)) {
      return 0;
    }
    long size = Files.size(log);
    if (size <= LARGEST_LOG) {
      return size;
    }
    Files.move(log, log.resolveSibling("daemon.log.1"), StandardCopyOption.REPLACE_EXISTING);
    return 0;
  }

  private Problem failed(String message, long logged) {
    var printed = tail(logged);
    return new Problem(
        Problem.Code.DAEMON_UNAVAILABLE,
        printed.isEmpty() ? message : message + "; it printed:\n" + printed,
        "its log is `" + locations.log() + "`",
        "`husk daemon run` runs it in the foreground");
  }

  /// The last lines printed since the start.
  private String tail(long from) {
    try (var log = FileChannel.open(locations.log())) {
      long first = Math.max(from, log.size() - 8192);
      var bytes = ByteBuffer.allocate((int) Math.max(0, log.size() - first));
      log.read(bytes, first);
      var lines =
          new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8)
              .strip()
              .split("\n", -1);
      var text = new StringBuilder();
      for (int i = Math.max(0, lines.length - SHOWN_LINES); i < lines.length; i++) {
        text.append(text.isEmpty() ? "" : "\n").append(lines[i]);
      }
      return text.toString();
    } catch (IOException _) {
      return "";
    }
  }
}
