package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// `husk serve` with as many descriptors as shells give, and more callers than that.
@ExtendWith(LeakDetector.class)
final class CrowdedServeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HuskCommand husk = new HuskCommand();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Socket> crowd = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
  private URI url = URI.create("http://127.0.0.1/");

  @AfterEach
  void close() throws IOException {
    for (var one : crowd) {
      one.close();
    }
    husk.close();
    http.shutdownNow();
  }

  private Process serve() throws IOException {
    var process = husk.startShell("ulimit -n 1024; exec \"$0\" serve --port 0");
    var out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    url = URI.create(String.valueOf(out.readLine()).split(" ")[1]);
    var err =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    Thread.ofVirtual().start(() -> listen(err));
    return process;
  }

  private void listen(BufferedReader err) {
    try {
      for (var line = err.readLine(); line != null; line = err.readLine()) {
        said.add(line);
      }
    } catch (IOException over) {
      // the process was waited for
    }
  }

  private void come(int count, String word) throws IOException {
    for (int i = 0; i < count; i++) {
      var one = new Socket();
      crowd.add(one);
      one.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), url.getPort()),
          (int) PATIENCE.toMillis());
      one.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private String answer(String code) throws Exception {
    var request =
        HttpRequest.newBuilder(url.resolve("/sessions/s/execute"))
            .header("Content-Type", "application/json")
            .timeout(PATIENCE)
            .POST(HttpRequest.BodyPublishers.ofString("{\"code\": \"" + code + "\"}"))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void idleConnectionsBeyondTheDescriptorsKeepNobodyOutAndAreSpokenOf() throws Exception {
    var served = serve();
    come(1500, "");
    assertThat(answer("6 * 7")).contains("\"return_value\":\"42\"");
    assertThat(husk.run("exec", "--name", "s", "1 + 1").exit()).isZero();
    Eventually.until(
        PATIENCE,
        () -> said.stream().anyMatch(line -> line.contains("no place for more connections")),
        () -> "said " + said);
    served.destroy();
    served.waitFor();
  }

  @Test
  void slowBodiesKeepNobodyElseWaiting() throws Exception {
    var served = serve();
    come(
        512,
        """
        POST /sessions/slow/execute HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: application/json\r
        Content-Length: 100\r
        \r
        {\
        """);
    assertThat(answer("6 * 7")).contains("\"return_value\":\"42\"");
    assertThat(husk.run("exec", "--name", "s", "1 + 1").exit()).isZero();
    served.destroy();
    served.waitFor();
  }
}
