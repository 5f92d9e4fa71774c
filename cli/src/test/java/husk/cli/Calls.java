package husk.cli;

import husk.testkit.TempHome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// Calls the command in this process, against a stand-in for the daemon.
final class Calls implements AutoCloseable {
  final TempHome temp = TempHome.create();
  final Map<String, String> environment = new HashMap<>();
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  final ByteArrayOutputStream err = new ByteArrayOutputStream();
  String input = "";

  Calls() throws IOException {
    var run = Files.createDirectory(temp.resolve("run"));
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwx------"));
    environment.put("HOME", temp.path().toString());
    environment.put("HUSK_RUNTIME_DIR", run.toString());
    environment.put("HUSK_DIST", temp.resolve("dist").toString());
    environment.put("TERM", "dumb");
  }

  Path socket() {
    return temp.resolve("run/daemon.sock");
  }

  FakeDaemon daemon(Function<String, byte[]> answer) throws IOException {
    return new FakeDaemon(socket(), answer);
  }

  int husk(String... words) {
    return husk(out, words);
  }

  int husk(OutputStream output, String... words) {
    return husk(output, err, words);
  }

  int husk(OutputStream output, OutputStream errors, String... words) {
    out.reset();
    err.reset();
    var in = new ByteArrayInputStream(input.getBytes(StandardCharsets.ISO_8859_1));
    var terminal = new Terminal(in, output, errors, environment, temp.path().toString());
    return new Main(terminal).run(words);
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    temp.close();
  }
}
