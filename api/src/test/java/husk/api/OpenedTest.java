package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What whoever serves opens to callers over TCP, and only that.
@ExtendWith(LeakDetector.class)
final class OpenedTest {
  private final ApiServer server = new ApiServer();
  private Path work;

  @BeforeEach
  void folders() throws IOException {
    work = Files.createDirectories(server.directory().resolve("work"));
    Files.createDirectories(work.resolve("sub"));
    Files.createDirectories(server.directory().resolve("work-evil"));
    Files.writeString(server.directory().resolve("work-evil/secret"), "s3cret");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private int listen(Map<String, Object> opened) {
    return listen(opened, Map.of("HUSK_BACKEND", "bubblewrap", "HUSK_KERNEL_POOL", "0"));
  }

  private int listen(Map<String, Object> opened, Map<String, String> settings) {
    var listener = new HashMap<>(opened);
    listener.put("client", server.clientWith(settings));
    return server.listen(listener);
  }

  private ApiServer.Reply post(int port, String target, Map<String, Object> body) {
    return server.sendTo(port, "POST", target, Json.text(body));
  }

  private ApiServer.Reply sandbox(int port, Map<String, Object> body) {
    return post(port, "/sandboxes", body);
  }

  private String said(int port, String sandbox, String script) {
    var body = Map.<String, Object>of("command", List.of("sh", "-c", script));
    var reply = post(port, "/sandboxes/" + sandbox + "/exec", body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json().path("stdout").asString();
  }

  private static void assertClosed(ApiServer.Reply reply, String field, String option) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(403);
    assertThat(reply.json().at("/error/code").asString()).isEqualTo("not_open_over_tcp");
    assertThat(reply.json().at("/error/message").asString()).contains(field);
    assertThat(reply.json().at("/error/remedies").toString()).contains("husk serve --" + option);
  }

  private static Map<String, Object> marked(Map<String, Object> fields) {
    var body = new HashMap<>(fields);
    body.put("env", Map.of(LeakDetector.VARIABLE, LeakDetector.marker()));
    return body;
  }

  @Test
  void refusalNamesTheFieldTheReasonAndTheOption() {
    int port = listen(Map.of());
    assertClosed(
        post(port, "/kernels", Map.of("backend", "host")),
        "`backend: host` is not open to callers over TCP: code would run with all rights",
        "allow-host-backend");
    assertClosed(post(port, "/kernels", Map.of("python", "/x")), "python: /x", "allow-python");
    assertClosed(
        post(port, "/sessions/s", Map.of("profile", "permissive")),
        "profile: permissive",
        "allow-profile permissive");
    assertClosed(sandbox(port, Map.of("dir", "/etc")), "dir: /etc", "allow-mount");
    assertClosed(sandbox(port, Map.of("mounts", List.of("/a:/b"))), "mounts: /a", "allow-mount");
    assertClosed(sandbox(port, Map.of("ports", List.of("80:80"))), "ports", "allow-publish");
    assertClosed(sandbox(port, Map.of("ports", List.of("٨٠:80"))), "ports: 80", "allow-publish");
    assertClosed(
        sandbox(port, Map.of("allow", List.of("10.0.0.1"))), "allow", "allow-private-network");
  }

  @Test
  void hostBackendIsOpenedByItsOption() {
    int port = listen(Map.of("allow_host_backend", true));
    assertThat(post(port, "/kernels", marked(Map.of("name", "k", "backend", "host"))).status())
        .isEqualTo(201);
    assertThat(post(port, "/kernels/k/execute", Map.of("code", "1")).status()).isEqualTo(200);
    assertThat(sandbox(port, Map.of("name", "box", "backend", "host")).status()).isEqualTo(201);
    assertThat(said(port, "box", "echo 1")).isEqualTo("1\n");
    // Another listener of the same server has its own bounds.
    int other = listen(Map.of());
    assertClosed(
        post(other, "/kernels/k/execute", Map.of("code", "1")), "kernel `k`", "allow-host-backend");
  }

  @Test
  void profileIsOpenedByItsOption() {
    int port = listen(Map.of("allow_profiles", List.of("permissive")));
    assertThat(sandbox(port, Map.of("name", "box", "profile", "permissive")).status())
        .isEqualTo(201);
    assertThat(said(port, "box", "echo 1")).isEqualTo("1\n");
  }

  @Test
  void stricterProfileThanTheServersNeedsNoOptionAndAWiderOneDoes() {
    int port =
        listen(Map.of(), Map.of("HUSK_BACKEND", "bubblewrap", "HUSK_PROFILE", "restrictive"));
    assertClosed(
        post(port, "/kernels", Map.of("profile", "moderate")), "profile", "allow-profile moderate");
    assertThat(post(port, "/kernels", marked(Map.of("profile", "restrictive"))).status())
        .isEqualTo(201);
  }

  @Test
  void interpreterIsOpenedByItsOption() {
    var python = husk.testkit.TestPython.find().toString();
    assertThat(post(listen(Map.of()), "/kernels", Map.of("python", python)).status())
        .isEqualTo(403);
    int port = listen(Map.of("allow_python", true));
    assertThat(post(port, "/kernels", marked(Map.of("python", python))).status()).isEqualTo(201);
  }

  @Test
  void portsAndPrivateAddressesAreOpenedByTheirOptions() {
    int port = listen(Map.of("allow_publish", true, "allow_private_network", true));
    var body = Map.of("name", "box", "ports", List.of("0:80"), "allow", List.of("127.0.0.1"));
    assertThat(sandbox(port, Map.copyOf(body)).status()).isEqualTo(201);
    int other = listen(Map.of());
    assertClosed(
        post(other, "/sandboxes/box/exec", Map.of("command", List.of("true"))),
        "sandbox `box`",
        "allow-private-network");
    assertThat(sandbox(other, Map.of("name", "free", "ports", List.of("80"))).status())
        .isEqualTo(201);
    assertClosed(
        post(other, "/sandboxes/free/egress", Map.of("allow", List.of("192.168.0.0/16"))),
        "allow",
        "allow-private-network");
    assertThat(
            post(other, "/sandboxes/free/egress", Map.of("allow", List.of("a.example"))).status())
        .isEqualTo(200);
  }

  @Test
  void foldersBelowAPrefixAreLentByTheirRealPath() throws IOException {
    int port = listen(Map.of("allow_mounts", List.of(work.toString())));
    Files.createSymbolicLink(work.resolve("link"), server.directory().resolve("work-evil"));
    Files.createSymbolicLink(work.resolve("up"), Path.of(".."));
    for (var folder :
        List.of(
            "/etc",
            work + "-evil",
            work + "/../work-evil",
            work + "/sub/../../work-evil",
            work + "/link",
            work + "/up/work-evil",
            work + "/up",
            "work/../work-evil",
            "work-evil",
            "/",
            "~/",
            "/nowhere")) {
      assertClosed(
          sandbox(port, Map.of("dir", folder)), folder.startsWith("~") ? "~" : "", "allow-mount");
      assertClosed(sandbox(port, Map.of("mounts", List.of(folder + ":/x"))), "", "allow-mount");
    }
    assertThat(sandbox(port, Map.of("name", "one", "dir", work + "/sub/../sub")).status())
        .isEqualTo(201);
    assertThat(said(port, "one", "echo 1 > f; cat f")).isEqualTo("1\n");
    assertThat(work.resolve("sub/f")).hasContent("1\n");
    assertThat(sandbox(port, Map.of("name", "two", "mounts", List.of(work + ":/x"))).status())
        .isEqualTo(201);
    assertThat(said(port, "two", "cat /x/sub/f")).isEqualTo("1\n");
    // Without the prefix nobody works in what shows it.
    assertClosed(
        post(listen(Map.of()), "/sandboxes/one/exec", Map.of("command", List.of("true"))),
        work.toString(),
        "allow-mount");
  }

  @Test
  void folderThatCodeInASandboxCouldExchangeIsNotLent() throws IOException {
    int port = listen(Map.of("allow_mounts", List.of(work.toString())));
    sandbox(port, Map.of("name", "victim", "dir", work + "/sub"));
    post(port, "/sandboxes/victim/stop", Map.of());
    sandbox(port, Map.of("name", "attacker", "dir", work.toString()));
    var refused = sandbox(port, Map.of("name", "next", "dir", work + "/sub"));
    assertThat(refused.status()).as(refused.body()).isEqualTo(403);
    assertThat(refused.body()).contains("attacker");
    assertThat(post(port, "/sandboxes/victim/start", Map.of()).status()).isEqualTo(403);
    assertThat(said(port, "attacker", "rmdir sub; ln -s ../work-evil sub; ls -d sub"))
        .isEqualTo("sub\n");
    post(port, "/sandboxes/attacker/stop", Map.of());
    var moved = post(port, "/sandboxes/victim/start", Map.of());
    assertThat(moved.status()).as(moved.body()).isEqualTo(403);
    assertThat(moved.body()).contains("leads elsewhere");
    // The whole folder that somebody has can be shared.
    server.core.sandboxes().start("attacker");
    assertThat(sandbox(port, Map.of("name", "same", "dir", work.toString())).status())
        .isEqualTo(201);
  }

  @Test
  void projectsFileCanBeNamedOnlyBelowAPrefix() throws IOException {
    Files.writeString(work.resolve("a.toml"), "[security]\nnetwork = false\n");
    Files.writeString(work.resolve("wide.toml"), "[sandbox]\nbackend = \"host\"\n");
    assertClosed(
        sandbox(listen(Map.of()), Map.of("config", work + "/a.toml")), "config", "allow-mount");
    int port = listen(Map.of("allow_mounts", List.of(work.toString())));
    var made = sandbox(port, Map.of("config", work + "/a.toml"));
    assertThat(made.json().path("network").asBoolean(true)).isFalse();
    assertThat(
            sandbox(port, Map.of("config", work + "/wide.toml"))
                .json()
                .at("/error/code")
                .asString())
        .isEqualTo("project_not_trusted");
    Files.createSymbolicLink(work.resolve("passwd"), Path.of("/etc/passwd"));
    assertClosed(sandbox(port, Map.of("config", work + "/passwd")), "config", "allow-mount");
  }

  @Test
  void whatTheServerGivesByItselfGoesOnWorking() throws IOException {
    int port = listen(Map.of(), Map.of("HUSK_BACKEND", "host"));
    assertThat(post(port, "/sessions/s", marked(Map.of())).json().path("backend").asString())
        .isEqualTo("host");
    assertThat(post(port, "/sessions/s/execute", Map.of("code", "1")).status()).isEqualTo(200);
    assertClosed(
        post(port, "/sessions/t", Map.of("backend", "host")), "backend", "allow-host-backend");

    Files.writeString(
        server.directory().resolve("husk.toml"),
        "[security]\nmount_cwd = true\nprofile = \"permissive\"\n");
    new husk.core.trust.TrustStore(server.home())
        .trust(husk.core.trust.ProjectText.require(server.directory().resolve("husk.toml")));
    assertThat(sandbox(port, Map.of("name", "box")).status()).isEqualTo(201);
    assertThat(said(port, "box", "ls -d work")).isEqualTo("work\n");
  }

  @Test
  void callersChooseHowLongAndHowMuchOfTheirCodeRuns() {
    int port = listen(Map.of(), Map.of("HUSK_BACKEND", "host", "HUSK_EXECUTION_TIMEOUT", "50"));
    var client = Map.of("variables", Map.of("KERNELBOX_EXECUTION_TIMEOUT", "0.3"));
    var body = marked(Map.of());
    assertThat(post(port, "/sessions/s", body).status()).isEqualTo(200);
    var late =
        post(port, "/sessions/s/execute", Map.of("code", "while True: pass", "client", client));
    assertThat(late.json().path("status").asString()).isEqualTo("timeout");
  }

  @Test
  void folderThatIsNoneCannotBeOpened() {
    var asked = Json.text(Map.of("port", 0, "allow_mounts", List.of("/nowhere/at/all")));
    var refused = server.overSocket("POST", "/listeners", asked);
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.body()).contains("allow-mount");
    var profile = Json.text(Map.of("port", 0, "allow_profiles", List.of("lenient")));
    assertThat(server.overSocket("POST", "/listeners", profile).status()).isEqualTo(422);
  }

  @Test
  void settingsOpenAsOptionsDo() {
    int port =
        listen(
            Map.of(),
            Map.of(
                "HUSK_BACKEND", "bubblewrap",
                "HUSK_ALLOW_HOST_BACKEND", "on",
                "HUSK_ALLOW_MOUNT", work.toString(),
                "HUSK_ALLOW_PROFILE", "permissive"));
    assertThat(sandbox(port, Map.of("backend", "host")).status()).isEqualTo(201);
    assertThat(sandbox(port, Map.of("dir", work.toString(), "profile", "permissive")).status())
        .isEqualTo(201);
    var shown = server.overSocket("GET", "/listeners", "").body();
    assertThat(shown).contains("allow-host-backend").contains("allow-mount " + work);
  }

  @Test
  void liveStateThatTheServerDoesNotGiveCannotBeAskedForAndCanBeLeftOut() {
    int without = listen(Map.of(), Map.of("HUSK_KERNEL_POOL", "0", "HUSK_LIVE_STATE", "off"));
    var refused = post(without, "/kernels", Map.of("live_state", true));
    assertThat(refused.status()).as(refused.body()).isEqualTo(403);
    assertThat(refused.body()).contains("live_state: true", "HUSK_LIVE_STATE=on");
    int narrow = listen(Map.of(), Map.of("HUSK_KERNEL_POOL", "0", "HUSK_PROFILE", "restrictive"));
    assertThat(post(narrow, "/kernels", Map.of("live_state", true)).status()).isEqualTo(403);

    int usual = listen(Map.of());
    var body = marked(Map.of("name", "k", "live_state", false));
    assertThat(post(usual, "/kernels", body).status()).isEqualTo(201);
    var fork = post(usual, "/kernels/k/fork", Map.of("as", "copy"));
    assertThat(fork.body()).contains("capability_missing", "without live state");
  }
}
