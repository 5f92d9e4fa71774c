package husk.cli;

import husk.local.DaemonDoor;
import husk.local.Frame;
import husk.local.Frames;
import husk.local.JsonPeek;
import husk.local.JsonText;
import husk.local.Locations;
import husk.model.Problem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Goes through everything an ordinary command goes through, in one process, so that the cache made
/// from it (JEP 483) holds every class the command needs. It talks to a stand-in for the daemon in
/// a folder of its own.
final class Training {
  private static final String RESULT = "{\"status\":\"success\",\"output\":\"\"}";

  private Training() {}

  /// Never fails: a training that does not work leaves a cache that helps less.
  static int run() {
    try {
      Path folder = Files.createTempDirectory(Path.of("/tmp"), "husk-train");
      try {
        train(folder);
      } finally {
        delete(folder);
      }
    } catch (IOException | RuntimeException e) {
      System.err.println("training is incomplete: " + e);
    }
    return ExitCodes.SUCCESS;
  }

  private static void train(Path folder) throws IOException {
    var environment = new HashMap<>(System.getenv());
    environment.put("HUSK_HOME", folder.resolve("home").toString());
    environment.put("HUSK_RUNTIME_DIR", folder.resolve("run").toString());
    environment.put("HUSK_DIST", folder.resolve("dist").toString());
    // Not through the real installation: nothing may be started here.
    System.clearProperty("husk.dist");
    var locations = Locations.of(environment);
    locations.prepare();
    call(environment, "list");
    call(environment, "nonsense");
    var _ = new DaemonDoor(locations, environment).connect();

    var agent = locations.socket().resolveSibling("agent.sock");
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        var sandbox = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(locations.socket()));
      sandbox.bind(UnixDomainSocketAddress.of(agent));
      Thread.ofPlatform().daemon().start(new StandIn(server, result(agent)));
      Thread.ofPlatform().daemon().start(new TrainingAgent(sandbox));
      offline(environment);
      call(environment, "create", "--name", "a", "--tag", "k=v", "--env", "A=b", "--cwd", ".");
      call(environment, "exec", "--name", "a", "--timeout", "30", "1 + 1");
      call(environment, "exec", "--name", "a", "--stream", "--bash", "echo");
      call(environment, "exec", "--name", "a", "--stream", "--json", "1");
      call(environment, "exec", "--name", "a", "-");
      call(environment, "list", "--names");
      call(environment, "status", "--name", "a");
      call(environment, "destroy", "--name", "a");
      call(environment, "doctor");
      call(environment, "run", "-e", "A=b", "--memory", "1G", "--timeout", "30s", "--", "true");
      call(environment, "run", "--json", "true");
      call(environment, "exec", "a", "-w", "/", "true");
      call(environment, "sandbox", "list");
      call(environment, "sandbox", "create", "a", "-l", "k=v");
      call(environment, "sandbox", "remove", "a");
    }
  }

  private static String result(Path agent) {
    var result = new JsonText().text("status", "success").text("output", "").text("name", "a");
    return result.text("agent_socket", agent.toString()).toString();
  }

  private static void offline(Map<String, String> environment) {
    call(environment, "help");
    call(environment, "version");
    call(environment, "exec", "--help");
    call(environment, "exec", "--nmae");
    for (String shell : new String[] {"bash", "zsh", "fish"}) {
      call(environment, "completions", shell);
    }
    var problem = new Problem(Problem.Code.INTERNAL, "message", "remedy");
    Problems.read(Problems.json(problem));
    JsonPeek.at(RESULT, "status");
  }

  private static void call(Map<String, String> environment, String... words) {
    var nowhere = new ByteArrayOutputStream();
    var nothing = new ByteArrayInputStream(new byte[0]);
    new Main(new Terminal(nothing, nowhere, nowhere, environment, "/")).run(words);
  }

  private static void delete(Path folder) throws IOException {
    try (var children = Files.newDirectoryStream(folder)) {
      for (Path child : children) {
        if (Files.isDirectory(child)) {
          delete(child);
        } else {
          Files.delete(child);
        }
      }
    }
    Files.delete(folder);
  }

  /// Answers every request with one result.
  private static final class StandIn implements Runnable {
    private final ServerSocketChannel server;
    private final String result;

    StandIn(ServerSocketChannel server, String result) {
      this.server = server;
      this.result = result;
    }

    @Override
    public void run() {
      while (server.isOpen()) {
        try (var connection = server.accept()) {
          var request = ByteBuffer.allocate(64 * 1024);
          int count = connection.read(request);
          String text = new String(request.array(), 0, Math.max(count, 0), StandardCharsets.UTF_8);
          var answer = ByteBuffer.wrap(text.contains(Frames.MEDIA_TYPE) ? frames() : json());
          while (answer.hasRemaining()) {
            connection.write(answer);
          }
        } catch (IOException _) {
          return;
        }
      }
    }

    private byte[] json() {
      return ("HTTP/1.1 200 OK\r\nHusk-Status: success\r\nContent-Length: "
              + result.length()
              + "\r\n\r\n"
              + result)
          .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] frames() throws IOException {
      var frames = new ByteArrayOutputStream();
      Frames.write(frames, Frame.Kind.STDOUT, "2\n");
      Frames.write(frames, Frame.Kind.EVENT, "{}");
      Frames.write(frames, Frame.Kind.RESULT, RESULT);
      var answer = new ByteArrayOutputStream();
      answer.writeBytes(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      answer.writeBytes(
          (Integer.toHexString(frames.size()) + "\r\n").getBytes(StandardCharsets.UTF_8));
      answer.writeBytes(frames.toByteArray());
      answer.writeBytes("\r\n0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      return answer.toByteArray();
    }
  }
}
