package husk.cli;

import husk.local.JsonText;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A real agent without walls, and a stand-in for the daemon that knows it as the sandbox `box`.
final class AgentHouse implements AutoCloseable {
  final Calls calls;
  final FakeDaemon daemon;
  final Path workspace;

  private final Path socket;
  private final Process agent;

  AgentHouse() throws IOException {
    var program = program();
    calls = new Calls();
    workspace = Files.createDirectory(calls.temp.resolve("ws"));
    var home = Files.createDirectory(calls.temp.resolve("home"));
    socket = calls.temp.resolve("a.sock");
    var builder =
        new ProcessBuilder(
            List.of(
                program.toString(),
                "launch",
                "--socket",
                socket.toString(),
                "--log",
                calls.temp.resolve("agent.log").toString(),
                "--",
                program.toString(),
                "serve",
                "--host",
                "yes",
                "--seccomp",
                "no",
                "--cwd",
                workspace.toString(),
                "--env",
                "PATH=/usr/local/bin:/usr/bin:/bin",
                "--env",
                "HOME=" + home,
                "--env",
                LeakDetector.VARIABLE + "=" + LeakDetector.marker()));
    agent = builder.start();
    Eventually.until(
        Duration.ofSeconds(30), () -> Files.exists(socket), () -> "the agent does not come up");
    daemon = calls.daemon(this::answer);
  }

  private static Path program() {
    var given = System.getenv("HUSK_AGENT");
    var root = System.getProperty("husk.root", "..");
    var program = Path.of(given == null ? root + "/guest/agent/build/husk-agent" : given);
    Requirements.need(
        Files.isExecutable(program), "the guest agent (make -C guest/agent OUT=guest/agent)");
    return program.toAbsolutePath().normalize();
  }

  private volatile String description = "";

  private byte[] answer(String request) {
    boolean known = request.startsWith("POST /sandboxes") || request.contains("/sandboxes/box");
    if (request.startsWith("DELETE")) {
      return FakeDaemon.json("", "{\"removed\":true}");
    }
    return known && !request.contains("/nobody")
        ? FakeDaemon.json("", described())
        : FakeDaemon.answer(
            "404 Not Found",
            "Husk-Problem: sandbox_not_found\r\n",
            "{\"error\":{\"code\":\"sandbox_not_found\",\"message\":\"Sandbox 'nobody' not found\","
                + "\"remedies\":[]}}");
  }

  /// From now on the daemon says that it does not run.
  void stopped(Path kept, Path mounted) {
    description =
        """
        {"name": "box", "status": "stopped", "backend": "bubblewrap", "workspace": "%s",
         "spec": {"mounts": [{"source": "/usr", "target": "/x", "writable": false},
                             {"source": "%s", "target": "file:///workspace", "writable": true}]}}
        """
            .formatted(kept, mounted.toUri());
  }

  String described() {
    if (!description.isEmpty()) {
      return description;
    }
    var limits = new JsonText().number("memory_mb", 512).number("processes", 7);
    return new JsonText()
        .text("name", "box")
        .text("status", "running")
        .text("backend", "host")
        .text("agent_socket", socket.toString())
        .text("workspace", workspace.toString())
        .object("spec", new JsonText().object("limits", limits))
        .toString();
  }

  @Override
  public void close() throws IOException {
    daemon.close();
    agent.destroy();
    try {
      agent.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    calls.close();
  }
}
