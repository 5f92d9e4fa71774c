package husk.api.accept;

import husk.local.UnixHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A [CrowdedServer] with the daemon's heap and so many descriptors.
final class CrowdedProcess implements AutoCloseable {
  private final Path folder = Files.createTempDirectory("husk-crowd");
  private final Path socket = folder.resolve("daemon.sock");
  private final Process process;
  private final BufferedReader out;
  private final int port;
  private final List<String> said = new ArrayList<>();

  CrowdedProcess(int descriptors, String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.addAll(List.of("sh", "-c", "ulimit -n " + descriptors + "; exec \"$0\" \"$@\""));
    command.add(Path.of(System.getProperty("java.home", ""), "bin/java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m", "-XX:+ExitOnOutOfMemoryError"));
    command.addAll(List.of("-cp", classPath(), CrowdedServer.class.getName()));
    command.add(socket.toString());
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    out = process.inputReader(StandardCharsets.UTF_8);
    port = Integer.parseInt(await("port "));
  }

  private static String classPath() {
    return System.getProperty(
        "surefire.test.class.path", System.getProperty("java.class.path", ""));
  }

  private String await(String beginning) throws IOException {
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(beginning)) {
        return line.substring(beginning.length());
      }
      said.add(line);
    }
    throw new IOException("it ended, having said " + said);
  }

  RawCaller call() throws IOException {
    return new RawCaller(port);
  }

  void tell(String word) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(word).append('\n').flush();
    await("done " + word);
  }

  /// Waits until it has said something with these words in it.
  void awaitSaid(String words) throws IOException {
    while (said.stream().noneMatch(line -> line.contains(words))) {
      said.add(await("said "));
    }
  }

  /// The status of a request on the Unix socket.
  int askOverSocket(String target) throws IOException {
    try (var connection = UnixHttp.open(socket)) {
      return connection.request("GET", target, Map.of()).status();
    }
  }

  boolean alive() {
    return process.isAlive();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    Files.deleteIfExists(socket);
    Files.delete(folder);
  }
}
