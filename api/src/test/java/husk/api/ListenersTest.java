package husk.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// The life of a listener, and what it does to all requests alike.
@ExtendWith(LeakDetector.class)
final class ListenersTest {
  private static final char[] SECRET = "husk-tls".toCharArray();

  private final ApiServer server = new ApiServer();

  @AfterEach
  void close() {
    server.close();
  }

  private JsonNode listen(Map<String, Object> spec) {
    var opened = server.overSocket("POST", "/listeners", Json.text(spec));
    assertThat(opened.status()).as(opened.body()).isEqualTo(201);
    return opened.json();
  }

  private static boolean listens(int port) {
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (java.io.IOException e) {
      return false;
    }
  }

  @Test
  void listenerIsListedAndClosed() {
    var listener = listen(Map.of("port", 0));
    int port = listener.path("port").asInt();
    var id = listener.path("id").asString();
    assertThat(listener.path("url").asString()).isEqualTo("http://127.0.0.1:" + port);
    assertThat(server.overSocket("GET", "/listeners", "").body()).contains(id);
    assertThat(
            server.overSocket("DELETE", "/listeners/" + id, "").json().path("drained").asBoolean())
        .isTrue();
    assertThat(server.overSocket("GET", "/listeners/" + id, "").status()).isEqualTo(404);
    assertThat(listens(port)).isFalse();
  }

  @Test
  void portThatIsTakenIsSaidSo() {
    var refused = server.overSocket("POST", "/listeners", Json.text(Map.of("port", server.port())));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.body()).contains("port " + server.port()).contains("--port");
  }

  @Test
  void hostThatCannotBeResolvedIsSaidSo() {
    var refused = server.overSocket("POST", "/listeners", "{\"host\":\"no such host\",\"port\":0}");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.body()).contains("no such host");
  }

  @Test
  void listenerClosesWithTheProcessItWasOpenedFor() throws Exception {
    var owner = new ProcessBuilder("sleep", "600").start();
    int port = listen(Map.of("port", 0, "owner_pid", owner.pid())).path("port").asInt();
    assertThat(listens(port)).isTrue();
    owner.destroyForcibly().waitFor();
    Eventually.until(
        Duration.ofSeconds(30), () -> !listens(port), () -> "it still listens on " + port);
  }

  @Test
  void closingWaitsForRequestsThatRun() throws Exception {
    var listener = listen(withClient(Map.of("port", 0)));
    int port = listener.path("port").asInt();
    var answer =
        CompletableFuture.supplyAsync(() -> execute(port, "import time; time.sleep(2); 7"));
    Eventually.until(
        Duration.ofSeconds(60),
        () -> working(listener.path("id").asString()) == 1,
        () -> "the request does not arrive");
    var closed =
        server.overSocket(
            "DELETE", "/listeners/" + listener.path("id").asString() + "?drain=60", "");
    assertThat(closed.json().path("drained").asBoolean()).isTrue();
    assertThat(answer.get().path("return_value").asString()).isEqualTo("7");
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(ConnectException.class);
  }

  private int working(String id) {
    return server.overSocket("GET", "/listeners/" + id, "").json().path("requests").asInt();
  }

  private Map<String, Object> withClient(Map<String, Object> spec) {
    var all = new HashMap<>(spec);
    all.put("client", server.client());
    return all;
  }

  private JsonNode execute(int port, String code) {
    var body =
        Json.text(
            Map.of(
                "code",
                code,
                "options",
                Json.tree(ApiServer.marked().getBytes(java.nio.charset.StandardCharsets.UTF_8))));
    return server.sendTo(port, "POST", "/sessions/s/execute", body).json();
  }

  @Test
  void moreRequestsThanAllowedAreToldToComeBack() throws Exception {
    var listener = listen(withClient(Map.of("port", 0, "max_requests", 1)));
    int port = listener.path("port").asInt();
    var answer =
        CompletableFuture.supplyAsync(() -> execute(port, "import time; time.sleep(3); 'done'"));
    Eventually.until(
        Duration.ofSeconds(60),
        () -> working(listener.path("id").asString()) == 1,
        () -> "the request does not arrive");
    var refused = RawHttp.ask(port, "GET", "/kernels", "Host: localhost");
    assertThat(refused)
        .startsWith("HTTP/1.1 503")
        .contains("Retry-After: 1")
        .contains("Husk-Problem: overloaded");
    assertThat(answer.get().path("return_value").asString()).isEqualTo("'done'");
    assertThat(RawHttp.status(port, "GET", "/kernels", "Host: localhost")).isEqualTo(200);
  }

  @Test
  void requestsWhoseBodiesAreSlowTakeNobodysPlace() throws Exception {
    int port = server.listen(Map.of("max_requests", 2));
    var slow = new ArrayList<Socket>();
    for (int i = 0; i < 8; i++) {
      slow.add(halfABody(port));
    }
    assertThat(RawHttp.status(port, "GET", "/kernels", "Host: localhost")).isEqualTo(200);
    for (var socket : slow) {
      socket.getOutputStream().write('}');
      assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 422");
      socket.close();
    }
  }

  private static Socket halfABody(int port) throws Exception {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    var head = "POST /kernels/k/execute HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n";
    var type = "Content-Type: application/json\r\n\r\n{";
    socket.getOutputStream().write((head + type).getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void moreKernelsThanAllowedAreRefusedUntilOneIsGone() {
    var one = server.clientWith(Map.of("HUSK_MAX_KERNELS", "1"));
    int port = server.listen(Map.of("client", one));
    assertThat(make(port, "first").status()).isEqualTo(201);
    var refused = make(port, "second");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("retry-after")).isEqualTo("5");
    assertThat(refused.body()).contains("max-kernels");
    assertThat(server.delete("/kernels/first").status()).isEqualTo(200);
    assertThat(make(port, "second").status()).isEqualTo(201);
  }

  private ApiServer.Reply make(int port, String name) {
    return server.sendTo(port, "POST", "/kernels", ApiServer.marked("\"name\":\"" + name + "\""));
  }

  @Test
  void requestHasAnIdThatAFitCallerMayChoose() {
    assertThat(server.get("/health").header("x-request-id")).matches("[0-9a-f]{32}");
    var chosen = server.send("GET", "/health", "", "", "X-Request-Id", "agent-7:step.3");
    assertThat(chosen.header("x-request-id")).isEqualTo("agent-7:step.3");
    var unfit = server.send("GET", "/health", "", "", "X-Request-Id", "a b\"c");
    assertThat(unfit.header("x-request-id")).matches("[0-9a-f]{32}");
  }

  @Test
  void accessLogTellsOfRequestsAndNeverOfKeys() throws Exception {
    var listener = listen(Map.of("port", 0, "api_keys", List.of("hush")));
    int port = listener.path("port").asInt();
    var lines = new ArrayList<String>();
    var follower = Thread.ofVirtual().start(() -> follow(listener.path("id").asString(), lines));
    Eventually.until(
        Duration.ofSeconds(30),
        () -> {
          RawHttp.status(port, "GET", "/kernels/a%22b?token=hush", "Host: localhost");
          synchronized (lines) {
            return lines.stream().anyMatch(line -> line.contains("\"GET /kernels/a%22b\" 404"));
          }
        },
        () -> "no line of the access log: " + lines);
    server.overSocket("DELETE", "/listeners/" + listener.path("id").asString(), "");
    follower.join();
    assertThat(String.join("\n", lines)).doesNotContain("hush");
  }

  private void follow(String id, List<String> lines) {
    server.linesOverSocket(
        "/listeners/" + id + "/log",
        line -> {
          synchronized (lines) {
            lines.add(line);
          }
        });
  }

  @Test
  void certificateIsMadeOnceAndSpokenWith() throws Exception {
    var first = listen(Map.of("port", 0, "tls", true));
    var pem = server.home().resolve("tls/127.0.0.1.pem");
    assertThat(health(first.path("url").asString(), trusting(pem))).isEqualTo(200);
    var second = listen(Map.of("port", 0, "tls", true));
    assertThat(second.path("tls_fingerprint")).isEqualTo(first.path("tls_fingerprint"));
    assertThat(Files.getPosixFilePermissions(server.home().resolve("tls/127.0.0.1.p12")))
        .hasSize(2);
    assertThatThrownBy(() -> health(first.path("url").asString(), SSLContext.getDefault()))
        .hasMessageContaining("PKIX");
  }

  @Test
  void givenCertificateIsSpokenWith() throws Exception {
    var made = listen(Map.of("port", 0, "tls", true));
    var store = KeyStore.getInstance(server.home().resolve("tls/127.0.0.1.p12").toFile(), SECRET);
    var key = server.directory().resolve("key.pem");
    Files.writeString(key, pem("PRIVATE KEY", store.getKey("husk", SECRET).getEncoded()));
    var cert = server.home().resolve("tls/127.0.0.1.pem");
    var listener =
        listen(Map.of("port", 0, "tls_cert", cert.toString(), "tls_key", key.toString()));
    assertThat(listener.path("tls_fingerprint")).isEqualTo(made.path("tls_fingerprint"));
    assertThat(health(listener.path("url").asString(), trusting(cert))).isEqualTo(200);
  }

  private static String pem(String what, byte[] bytes) {
    var lines = Base64.getMimeEncoder().encodeToString(bytes);
    return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
  }

  @Test
  void keyThatFitsNoCertificateIsRefused() throws Exception {
    var file = server.directory().resolve("key.pem");
    Files.writeString(
        file, "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
    var refused =
        server.overSocket(
            "POST",
            "/listeners",
            Json.text(Map.of("port", 0, "tls_cert", file.toString(), "tls_key", file.toString())));
    assertThat(refused.status()).isEqualTo(422);
    var alone =
        server.overSocket(
            "POST", "/listeners", Json.text(Map.of("port", 0, "tls_cert", file.toString())));
    assertThat(alone.body()).contains("only together");
  }

  private static int health(String url, SSLContext context) throws Exception {
    try (var client = HttpClient.newBuilder().sslContext(context).build()) {
      var request = HttpRequest.newBuilder(URI.create(url + "/health")).build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  private static SSLContext trusting(Path pem) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream in = Files.newInputStream(pem)) {
      store.setCertificateEntry(
          "husk", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), new SecureRandom());
    return context;
  }

  @Test
  void metricsCountRequestsExecutionsAndKernels() {
    server.post("/sessions/m/execute", "{\"code\":\"1\",\"options\":" + ApiServer.marked() + "}");
    var metrics = server.get("/metrics");
    assertThat(metrics.header("content-type")).startsWith("text/plain");
    assertThat(metrics.body())
        .contains("husk_executions_total{status=\"success\"} 1.0")
        .contains("husk_kernels{status=\"idle\"} 1.0")
        .contains(
            "husk_http_requests_total{method=\"POST\",route=\"/sessions/{name}/execute\",status=\"200\"}"
                + " 1.0")
        .contains("husk_kernel_start_duration_seconds_count 1")
        .contains("jvm_memory_used_bytes");
    server.send("BREW", "/no/such/path", "", "");
    assertThat(server.get("/metrics").body()).contains("method=\"other\",route=\"-\"");
  }
}
