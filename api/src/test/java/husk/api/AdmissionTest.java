package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who is let in over TCP, and who is not.
@ExtendWith(LeakDetector.class)
final class AdmissionTest {
  private static final String KEY = "a key that nobody guesses";

  private final ApiServer open = new ApiServer();

  @AfterEach
  void close() {
    open.close();
  }

  /// The port of another listener of the same server.
  private int listen(Map<String, Object> spec) {
    var opened = open.overSocket("POST", "/listeners", Json.text(spec));
    assertThat(opened.status()).as(opened.body()).isEqualTo(201);
    return opened.json().path("port").asInt();
  }

  private int withKey() {
    return listen(
        Map.of("port", 0, "api_keys", List.of("another", KEY), "allow_host_backend", true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "LOCALHOST", "127.0.0.1", "[::1]", "a.localhost", "127.1.2.3"})
  void programsOfThisMachineNeedNoKey(String host) {
    assertThat(RawHttp.status(open.port(), "GET", "/kernels", "Host: " + host)).isEqualTo(200);
    assertThat(RawHttp.status(open.port(), "GET", "/kernels", "Host: " + host + ":8080"))
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "10.0.0.1",
        "0.0.0.0"
      })
  void nameThatSomebodyHasResolveToLoopbackIsRefused(String host) {
    assertThat(RawHttp.status(open.port(), "GET", "/kernels", "Host: " + host)).isEqualTo(403);
    assertThat(RawHttp.status(open.port(), "POST", "/sessions/x", "Host: " + host)).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "null", "http://localhost:1", "file://", "x"})
  void webPagesOfOthersAreRefused(String origin) {
    var answer =
        RawHttp.ask(
            open.port(),
            "POST",
            "/sessions/x",
            "Host: localhost:" + open.port(),
            "Origin: " + origin);
    assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain("Access-Control");
    assertThat(open.core.list()).isEmpty();
  }

  @Test
  void pagesOfTheServerItselfMayCall() {
    var host = "localhost:" + open.port();
    assertThat(
            RawHttp.status(
                open.port(), "GET", "/kernels", "Host: " + host, "Origin: http://" + host))
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cross-site", "same-site"})
  void imagesAndScriptsOfOtherPagesAreRefusedThoughTheyHaveNoOrigin(String site) {
    assertThat(
            RawHttp.status(
                open.port(), "GET", "/kernels", "Host: localhost", "Sec-Fetch-Site: " + site))
        .isEqualTo(403);
  }

  @Test
  void pagesOfAnAllowedOriginMayCallAndRead() {
    int port = listen(Map.of("port", 0, "allow_origins", List.of("https://lab.example")));
    var answer =
        RawHttp.ask(port, "GET", "/kernels", "Host: localhost", "Origin: https://lab.example");
    assertThat(answer)
        .startsWith("HTTP/1.1 200")
        .contains("Access-Control-Allow-Origin: https://lab.example");
    var question =
        RawHttp.ask(
            port,
            "OPTIONS",
            "/kernels",
            "Host: localhost",
            "Origin: https://lab.example",
            "Access-Control-Request-Method: POST");
    assertThat(question).startsWith("HTTP/1.1 204").contains("Access-Control-Allow-Methods");
  }

  @Test
  void keyIsShownInAnyOfTheWaysClientsKnow() {
    int port = withKey();
    for (var header :
        List.of(
            "Authorization: Bearer " + KEY, "Authorization: token " + KEY, "X-API-Key: " + KEY)) {
      assertThat(RawHttp.status(port, "GET", "/kernels", "Host: h", header)).isEqualTo(200);
    }
    var query = "/kernels?token=" + KEY.replace(" ", "%20");
    assertThat(RawHttp.status(port, "GET", query, "Host: h")).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-None: 1",
        "Authorization: Bearer",
        "Authorization: Bearer a key that nobody guesse",
        "Authorization: Bearer a key that nobody guesses!",
        "Authorization: Basic a key that nobody guesses",
        "X-API-Key: A KEY THAT NOBODY GUESSES"
      })
  void withoutTheKeyNothingButHealthIsAnswered(String header) {
    int port = withKey();
    for (var path :
        List.of("/", "/kernels", "/docs", "/openapi.json", "/metrics", "/api", "/nope")) {
      var answer = RawHttp.ask(port, "GET", path, "Host: localhost", header);
      assertThat(answer).startsWith("HTTP/1.1 401").contains("WWW-Authenticate: Bearer");
    }
    assertThat(RawHttp.status(port, "GET", "/health", "Host: anything", header)).isEqualTo(200);
  }

  @Test
  void addressBeyondLoopbackIsNotServedWithoutKeys() {
    var refused = open.overSocket("POST", "/listeners", "{\"host\":\"0.0.0.0\",\"port\":0}");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body()).contains("there is no API key").contains("--api-key-file");
    int port = listen(Map.of("host", "0.0.0.0", "port", 0, "api_keys", List.of(KEY)));
    assertThat(RawHttp.status(port, "GET", "/kernels", "Host: localhost")).isEqualTo(401);
  }

  @Test
  void keysMayStandInAFile() throws Exception {
    var file = open.directory().resolve("keys");
    keys(file, "# who\n\nfirst\n second \n");
    int port = listen(Map.of("port", 0, "api_key_file", file.toString()));
    for (var key : List.of("first", "second")) {
      assertThat(RawHttp.status(port, "GET", "/kernels", "Host: h", "X-API-Key: " + key))
          .isEqualTo(200);
    }
    assertThat(RawHttp.status(port, "GET", "/kernels", "Host: h", "X-API-Key: # who"))
        .isEqualTo(401);
  }

  private static void keys(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static int shown(int port, String key) {
    return RawHttp.status(port, "GET", "/kernels", "Host: h", "X-API-Key: " + key);
  }

  @Test
  void keysAreReadAgainWhenTheirFileChanges() throws Exception {
    var file = open.directory().resolve("keys");
    keys(file, "old\n");
    int port = listen(Map.of("port", 0, "api_key_file", file.toString()));
    assertThat(shown(port, "old")).isEqualTo(200);
    keys(file, "newer\n");
    assertThat(shown(port, "newer")).isEqualTo(200);
    assertThat(shown(port, "old")).isEqualTo(401);
  }

  @Test
  void keysStayInForceWhenTheirFileBecomesUseless() throws Exception {
    var file = open.directory().resolve("keys");
    keys(file, "kept\n");
    int port = listen(Map.of("port", 0, "api_key_file", file.toString()));
    Files.writeString(file, "");
    assertThat(shown(port, "kept")).isEqualTo(200);
    Files.writeString(file, "seen by all\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(shown(port, "seen by all")).isEqualTo(401);
    Files.delete(file);
    assertThat(shown(port, "kept")).isEqualTo(200);
    assertThat(shown(port, "")).isEqualTo(401);
  }

  @Test
  void fileOfKeysThatOthersCanReadIsRefused() throws Exception {
    var file = open.directory().resolve("keys");
    keys(file, "secret\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    var body = "{\"port\":0,\"api_key_file\":\"" + file + "\"}";
    var refused = open.overSocket("POST", "/listeners", body);
    assertThat(refused.body()).contains("chmod 600").doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"port\":99999", "\"port\":-1", "\"port\":0,\"max_requests\":0"})
  void numberThatNoServerCanHaveIsRefused(String field) {
    var refused = open.overSocket("POST", "/listeners", "{" + field + "}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.body()).contains("remedies").doesNotContain("Exception");
  }

  @Test
  void fileWithoutKeysIsRefusedInsteadOfServingEverybody() throws Exception {
    var file = open.directory().resolve("keys");
    keys(file, "# none yet\n");
    var refused =
        open.overSocket(
            "POST", "/listeners", Json.text(Map.of("port", 0, "api_key_file", file.toString())));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.body()).contains("holds no key");
    var empty = open.overSocket("POST", "/listeners", "{\"port\":0,\"api_keys\":[\"\"]}");
    assertThat(empty.status()).isEqualTo(422);
  }

  @Test
  void whatConcernsTheMachineIsAnsweredOnTheSocketAlone() {
    for (var path : List.of("/daemon", "/environments", "/listeners")) {
      assertThat(open.get(path).status()).as(path).isEqualTo(404);
      assertThat(open.overSocket("GET", path, "").status()).as(path).isEqualTo(200);
    }
    for (var path : List.of("/daemon/stop", "/doctor", "/config/show", "/setup")) {
      assertThat(open.post(path, "{}").status()).as(path).isEqualTo(404);
    }
  }

  /// The answer to the beginning of a WebSocket.
  private static String knock(int port, String kernel, String query, String... headers) {
    var all = new ArrayList<>(List.of(headers));
    all.addAll(
        List.of(
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="));
    return RawHttp.head(port, "/api/kernels/" + kernel + "/channels" + query, all);
  }

  private String kernel() {
    var made = open.post("/kernels", ApiServer.marked("\"name\":\"k\""));
    return made.json().path("kernel_id").asString();
  }

  @Test
  void webSocketsNeedTheKeyToo() {
    var kernel = kernel();
    int port = withKey();
    var token = "?token=" + KEY.replace(" ", "%20");
    assertThat(knock(port, kernel, "", "Host: localhost")).startsWith("HTTP/1.1 401");
    assertThat(knock(port, kernel, "?token=wrong", "Host: localhost")).startsWith("HTTP/1.1 401");
    assertThat(knock(port, kernel, token, "Host: localhost")).startsWith("HTTP/1.1 101");
    assertThat(knock(port, kernel, "", "Host: h", "Authorization: token " + KEY))
        .startsWith("HTTP/1.1 101");
  }

  @Test
  void webSocketsOfForeignPagesAndNamesAreRefused() {
    var kernel = kernel();
    var host = "Host: localhost:" + open.port();
    assertThat(knock(open.port(), kernel, "", host, "Origin: https://evil.example"))
        .startsWith("HTTP/1.1 403");
    assertThat(knock(open.port(), kernel, "", "Host: evil.example")).startsWith("HTTP/1.1 403");
    assertThat(knock(open.port(), kernel, "", host)).startsWith("HTTP/1.1 101");
    assertThat(knock(open.port(), "0".repeat(32), "", host)).startsWith("HTTP/1.1 404");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "null"})
  void anyWebPageIsLetInOnlyWithAKey(String origin) throws Exception {
    var asked = Map.<String, Object>of("port", 0, "allow_origins", List.of("https://a", origin));
    assertThat(open.overSocket("POST", "/listeners", Json.text(asked)).body())
        .contains("no API key")
        .contains("allow-origin");
    var client = Map.of("variables", Map.of("HUSK_ALLOW_ORIGIN", "https://a , " + origin));
    var bySetting = Json.text(Map.of("port", 0, "client", client));
    assertThat(open.overSocket("POST", "/listeners", bySetting).status()).isEqualTo(403);
    Files.writeString(open.home().resolve("husk.toml"), "allow-origin = \"" + origin + "\"\n");
    assertThat(open.overSocket("POST", "/listeners", "{\"port\":0}").status()).isEqualTo(403);
    int port = listen(Map.of("port", 0, "api_keys", List.of(KEY)));
    assertThat(RawHttp.status(port, "GET", "/kernels", "Host: x", "X-API-Key: " + KEY))
        .isEqualTo(200);
  }
}
