package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// `husk serve`, from its beginning to its end.
@ExtendWith(LeakDetector.class)
final class ServeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HuskCommand husk = new HuskCommand();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    husk.close();
    http.shutdownNow();
  }

  /// A running `husk serve` and where it says that it serves.
  private record Served(Process process, String url) {}

  private Served serve(String... options) throws IOException {
    var words = new String[options.length + 1];
    words[0] = "serve";
    System.arraycopy(options, 0, words, 1, options.length);
    var process = husk.start(words);
    var out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    var said = String.valueOf(out.readLine());
    assertThat(said).startsWith("serving http://127.0.0.1:");
    return new Served(process, said.split(" ")[1]);
  }

  private int status(String url, String... headers) {
    var request = HttpRequest.newBuilder(URI.create(url));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private CompletableFuture<HttpResponse<String>> execute(String url, String code) {
    return http.sendAsync(
        HttpRequest.newBuilder(URI.create(url + "/sessions/s/execute"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"code\": \"" + code + "\"}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static void awaitEnd(Process process) throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void kernelsStartWhereItWasCalledAndAreThoseOfTheCommandLine() throws Exception {
    var served = serve("--port", "0");
    var answer = execute(served.url(), "import os; x = 7; os.getcwd()").get();
    assertThat(answer.body()).contains(husk.home.resolve("work").toString());
    assertThat(husk.run("exec", "--name", "s", "x").json().path("return_value").asString())
        .isEqualTo("7");
    served.process().destroy();
    awaitEnd(served.process());
    assertThat(status(served.url() + "/health")).isZero();
  }

  @Test
  void itGoesOnAfterItsDaemonWasKilled() throws Exception {
    var first = serve("--port", "0");
    var url = first.url();
    first.process().destroy();
    awaitEnd(first.process());
    var served = serve("--port", url.substring(url.lastIndexOf(':') + 1));
    execute(url, "x = 1").get();
    ProcessHandle.of(husk.daemonPid()).orElseThrow().destroyForcibly();
    Eventually.until(
        PATIENCE, () -> status(url + "/kernels/s") == 200, () -> "nobody serves " + url);
    assertThat(execute(url, "x").get().body()).contains("\"return_value\":\"1\"");
    served.process().destroy();
    awaitEnd(served.process());
  }

  @Test
  void toldToEndItWaitsForWhatRuns() throws Exception {
    var served = serve("--port", "0");
    execute(served.url(), "import time").get();
    var running = execute(served.url(), "time.sleep(3); 'done'");
    Eventually.until(
        PATIENCE,
        () -> husk.run("executions", "--name", "s").out().contains("\"running\""),
        () -> "it does not begin");
    served.process().destroy();
    assertThat(running.get().body()).contains("'done'");
    awaitEnd(served.process());
  }

  @Test
  void itEndsWhenTheDaemonIsStopped() throws Exception {
    var served = serve("--port", "0");
    assertThat(husk.run("daemon", "stop").exit()).isZero();
    awaitEnd(served.process());
    assertThat(served.process().exitValue()).isZero();
    assertThat(status(served.url() + "/health")).isZero();
  }

  @Test
  void keysComeFromTheEnvironmentOrFromAFileOfSettings() throws Exception {
    husk.environment.put("HUSK_API_KEY", "one,two");
    var served = serve("--port", "0");
    assertThat(status(served.url() + "/kernels")).isEqualTo(401);
    assertThat(status(served.url() + "/kernels", "X-API-Key", "two")).isEqualTo(200);
    served.process().destroy();
    awaitEnd(served.process());
    husk.environment.remove("HUSK_API_KEY");
    var project = husk.home.resolve("work/husk.toml");
    Files.writeString(project, "api-key = \"theirs\"\nport = 0\n");
    assertThat(husk.run("serve").err()).contains("husk trust").doesNotContain("theirs");
    Files.delete(project);
    Files.writeString(husk.home.resolve("home/husk.toml"), "api-key = \"three\"\nport = 0\n");
    var again = serve();
    assertThat(status(again.url() + "/kernels", "X-API-Key", "two")).isEqualTo(401);
    assertThat(status(again.url() + "/kernels", "X-API-Key", "three")).isEqualTo(200);
    again.process().destroy();
    awaitEnd(again.process());
  }

  @Test
  void withoutAKeyItDoesNotServeOthers() {
    var refused = husk.run("serve", "--host", "0.0.0.0", "--port", "0");
    assertThat(refused.exit()).isEqualTo(6);
    assertThat(refused.err()).contains("no API key").doesNotContain("\tat ");
  }
}
