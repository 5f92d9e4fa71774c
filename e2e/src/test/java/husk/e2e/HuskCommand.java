package husk.e2e;

import husk.testkit.TempHome;
import husk.testkit.TestPython;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The built `husk` command with a home of its own.
final class HuskCommand implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  final TempHome home;
  final Map<String, String> environment = new TreeMap<>();

  HuskCommand() {
    try {
      home = TempHome.create();
      Files.createDirectory(home.resolve("work"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
    environment.put("HOME", home.path().toString());
    environment.put("LANG", "C.UTF-8");
    environment.put("HUSK_HOME", home.resolve("home").toString());
    environment.put("HUSK_RUNTIME_DIR", home.resolve("run").toString());
    environment.put("HUSK_PYTHON", TestPython.find().toString());
    environment.put("HUSK_BACKEND", "host");
  }

  static Path dist() {
    return Path.of(System.getProperty("husk.root", "..")).resolve("app/target/husk");
  }

  /// What a command printed and how it ended.
  record Outcome(int exit, String out, String err) {
    JsonNode json() {
      return JSON.readTree(out);
    }

    JsonNode errorJson() {
      return JSON.readTree(err).path("error");
    }
  }

  Outcome run(String... arguments) {
    return finish(start(arguments), "");
  }

  Outcome runWithInput(String input, String... arguments) {
    return finish(start(arguments), input);
  }

  Process start(String... arguments) {
    var command = new ArrayList<String>();
    command.add(dist().resolve("bin/husk").toString());
    command.addAll(List.of(arguments));
    return start(command);
  }

  /// What only a shell can do to a call of `husk`, which it knows as `$0`.
  Outcome shell(String script) {
    return finish(startShell(script), "");
  }

  Process startShell(String script) {
    return start(List.of("sh", "-c", script, dist().resolve("bin/husk").toString()));
  }

  private Process start(List<String> command) {
    var builder = new ProcessBuilder(command).directory(home.resolve("work").toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Outcome finish(Process process, String input) {
    var out = read(process.getInputStream());
    var err = read(process.getErrorStream());
    try (var in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // it did not want to read it
    }
    try {
      return new Outcome(process.waitFor(), out.join(), err.join());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static CompletableFuture<String> read(java.io.InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  long daemonPid() {
    return run("daemon", "status", "--json").json().path("pid").asLong();
  }

  @Override
  public void close() {
    run("daemon", "stop", "--kernels");
    try {
      home.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
