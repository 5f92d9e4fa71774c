package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// Every operation of the served document, asked over TCP for what would give a caller the server's
/// account, and for things of its owner's that have such rights.
@ExtendWith(LeakDetector.class)
final class BoundsWalkTest {
  private static final String CLOSED = "not_open_over_tcp";

  /// What a body may hold, wherever it stands.
  private static final List<Map.Entry<String, Object>> DANGEROUS =
      List.of(
          Map.entry("backend", "host"),
          Map.entry("profile", "permissive"),
          Map.entry("python", "/usr/bin/python3"),
          Map.entry("python", "python3"),
          Map.entry("python", "../venv"),
          Map.entry("dir", "/etc"),
          Map.entry("dir", "."),
          Map.entry("dir", "/nowhere/at/all"),
          Map.entry("dir", "~/"),
          Map.entry("mounts", List.of("/etc:/etc2")),
          Map.entry("mounts", List.of("/tmp:/data:rw")),
          Map.entry("config", "/etc/passwd"),
          Map.entry("config", "husk.toml"),
          Map.entry("ports", List.of("8080:80")),
          Map.entry("allow", List.of("a.example", "127.0.0.1:22")),
          Map.entry("allow", List.of("169.254.169.254")),
          Map.entry("sandbox", "outside"),
          Map.entry("sandbox", "showing"),
          Map.entry("client", Map.of("cwd", "/etc")),
          Map.entry("client", Map.of("environment", Map.of("PATH", "/tmp"))),
          Map.entry("client", Map.of("variables", Map.of("HUSK_BACKEND", "host"))),
          Map.entry("client", Map.of("variables", Map.of("HUSK_PROFILE", "permissive"))),
          Map.entry("client", Map.of("variables", Map.of("HUSK_PYTHON", "/bin/sh"))),
          Map.entry("client", Map.of("variables", Map.of("HUSK_SANDBOX_CONFIG", "/tmp/x"))),
          Map.entry("client", Map.of("variables", Map.of("HUSK_ALLOW_HOST_BACKEND", "on"))),
          Map.entry("client", Map.of("variables", Map.of("HUSK_MAX_KERNELS", "0"))),
          Map.entry("client", Map.of("variables", Map.of("JUPYTER_PATH", "/tmp"))),
          Map.entry("client", Map.of("variables", Map.of("HUSK_KERNEL_ENV", "{}"))),
          Map.entry("client", Map.of("variables", Map.of("LD_PRELOAD", "/tmp/x.so"))));

  /// To look at what is there, to stop it and to end it is everybody's.
  private static final Set<String> FOR_EVERYBODY =
      Set.of(
          "get_kernel",
          "get_kernel_log",
          "get_session",
          "interrupt_kernel",
          "interrupt_session",
          "list_checkpoints_of_kernel",
          "list_checkpoints_of_session",
          "get_sandbox",
          "describe_sandbox",
          "extend_sandbox",
          "sandbox_events",
          "stop_sandbox",
          "jupyter_get_kernel",
          "jupyter_interrupt",
          "destroy_kernel",
          "destroy_session",
          "remove_sandbox",
          "jupyter_shut_down_kernel");

  /// Asked of a sandbox of its owner's, these have nothing to do with its rights: rules are
  /// measured for themselves, lines are each listener's own.
  private static final Set<String> OF_NO_CONCERN =
      Set.of("change_egress", "write_stdin", "signal_command", "resize_terminal", "send_to_port");

  private final ApiServer server = new ApiServer();
  private final ServedDocument served = new ServedDocument(server.get("/openapi.json").json());
  private int port;

  @BeforeEach
  void serveWithSandboxes() throws IOException {
    var client = server.clientWith(Map.of("HUSK_BACKEND", "bubblewrap", "HUSK_KERNEL_POOL", "0"));
    port = server.listen(Map.of("client", client));
    var lent = Files.createDirectories(server.directory().resolve("lent"));
    ofOwner("/kernels", Map.of("name", "outside", "backend", "host"));
    ofOwner(
        "/kernels", Map.of("name", "permissive", "backend", "bubblewrap", "profile", "permissive"));
    ofOwner("/sandboxes", Map.of("name", "outside", "backend", "host"));
    ofOwner("/sandboxes", Map.of("name", "permissive", "profile", "permissive"));
    ofOwner("/sandboxes", Map.of("name", "showing", "dir", lent.toString()));
    ofOwner("/sandboxes", Map.of("name", "reaching", "allow", List.of("127.0.0.1:22")));
    ofOwner("/kernels", Map.of("name", "showing", "sandbox", "showing"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void ofOwner(String target, Map<String, Object> fields) {
    var body = new HashMap<>(fields);
    body.put("client", server.client());
    body.put("env", Map.of(LeakDetector.VARIABLE, LeakDetector.marker()));
    var made = server.overSocket("POST", target, Json.text(body));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
  }

  private ApiServer.Reply ask(ServedDocument.Described operation, String path, Object body) {
    var method = operation.method().toUpperCase(Locale.ROOT);
    return server.sendTo(port, method, path, Json.text(body));
  }

  /// What the operation cannot do without.
  private static Map<String, Object> least(ServedDocument.Described operation) {
    var body = new HashMap<String, Object>();
    var id = operation.id();
    if (id.contains("execute") || id.equals("retry_in_session")) {
      body.put("code", "1");
      body.put("create", true);
    } else if (id.contains("promote")) {
      body.put("fork", "outside");
    } else if (id.contains("best_of")) {
      body.put("codes", List.of("1"));
    } else if (id.equals("exec_in_sandbox") || id.equals("detach_command")) {
      body.put("command", List.of("true"));
    } else if (id.equals("jupyter_start_session")) {
      body.putAll(Map.of("path", "x.ipynb", "type", "notebook"));
    }
    return body;
  }

  @Test
  void whatWouldGiveTheServersAccountIsRefusedWhereverItStands() {
    var refusedOf = new TreeSet<String>();
    for (var operation : served.operations()) {
      if (!operation.operation().has("requestBody") || isOfBytes(operation)) {
        continue;
      }
      int number = 0;
      for (var field : DANGEROUS) {
        for (var nested : List.of("", "options", "kernel", "env")) {
          var path = operation.path().replaceAll("\\{\\w+}", "walk-" + number++);
          var body = least(operation);
          body.putAll(
              nested.isEmpty()
                  ? Map.of(field.getKey(), field.getValue())
                  : Map.of(nested, Map.of(field.getKey(), field.getValue())));
          var reply = ask(operation, path, body);
          var asked = operation.id() + " " + Json.text(body) + " " + reply.body();
          if (takes(operation, nested, field.getKey())) {
            assertThat(reply.status()).as(asked).isEqualTo(403);
            assertThat(reply.header("husk-problem")).as(asked).isEqualTo(CLOSED);
            assertThat(served.faults(operation, reply)).as(asked).isEmpty();
            refusedOf.add(operation.id());
          }
        }
      }
      assertNothingIsWide(operation.id());
    }
    assertThat(refusedOf)
        .contains(
            "create_kernel",
            "get_or_create_session",
            "execute",
            "execute_in_session",
            "execute_with_retry",
            "retry_in_session",
            "execute_with_retry_in_session",
            "create_sandbox");
  }

  private static boolean isOfBytes(ServedDocument.Described operation) {
    return !operation.operation().path("requestBody").path("content").has("application/json");
  }

  /// Whether the document says that a field is heard there. What is about a kernel that must be
  /// there is answered before its body is read.
  private boolean takes(ServedDocument.Described operation, String nested, String field) {
    var schema = schema(operation.operation().at("/requestBody/content/application~1json/schema"));
    var at = nested.isEmpty() ? schema : schema(schema.path("properties").path(nested));
    boolean heard = at.path("properties").has(field);
    boolean makes =
        operation.path().endsWith("/kernels")
            || operation.path().endsWith("/sandboxes")
            || operation.path().equals("/sessions/{name}")
            || operation.path().contains("/execute");
    return heard && makes && !operation.path().startsWith("/api");
  }

  private JsonNode schema(JsonNode given) {
    for (var one : given.path("anyOf")) {
      if (one.has("$ref")) {
        return schema(one);
      }
    }
    return given.has("$ref")
        ? served.json().at(given.path("$ref").stringValue().substring(1))
        : given;
  }

  /// Whatever was not refused has changed nothing.
  private void assertNothingIsWide(String operation) {
    var known = Set.of("outside", "permissive", "showing", "reaching");
    for (var kernel : server.core.list()) {
      if (kernel.name().filter(known::contains).isEmpty()) {
        assertThat(kernel.backend()).as(operation + kernel).isEqualTo("bubblewrap");
        assertThat(kernel.cwd())
            .as(operation + kernel)
            .startsWithRaw(java.nio.file.Path.of("/workspace"));
        server.core.destroy(kernel.kernelId());
      }
    }
    for (var sandbox : server.core.sandboxes().list(Map.of())) {
      if (!known.contains(sandbox.name())
          && !sandbox.labels().containsKey(husk.sandboxes.SandboxRequest.KERNEL_LABEL)) {
        assertThat(sandbox.spec().backend()).as(operation).isEqualTo("bubblewrap");
        assertThat(sandbox.spec().lent()).as(operation).isEmpty();
        server.core.sandboxes().remove(sandbox.name());
      }
    }
  }

  @Test
  void whatItsOwnerMadeWithSuchRightsIsNotWorkedInFromElsewhere() {
    var refused = new TreeSet<String>();
    for (var operation : served.operations()) {
      for (var thing : things(operation)) {
        if (FOR_EVERYBODY.contains(operation.id()) || OF_NO_CONCERN.contains(operation.id())) {
          continue;
        }
        var id = server.core.find(thing).map(kernel -> kernel.kernelId()).orElse(thing);
        var path =
            operation
                .path()
                .replaceFirst("\\{\\w+}", operation.path().startsWith("/api") ? id : thing)
                .replace("{port}", "22")
                .replaceAll("\\{\\w+}", "x");
        var reply = ask(operation, path + "?path=/etc/passwd", least(operation));
        var asked = operation.id() + " of " + thing + ": " + reply.body();
        assertThat(reply.status()).as(asked).isEqualTo(403);
        assertThat(reply.header("husk-problem")).as(asked).isEqualTo(CLOSED);
        assertThat(served.faults(operation, reply)).as(asked).isEmpty();
        refused.add(operation.id());
      }
    }
    assertThat(refused)
        .contains(
            "execute",
            "restart_kernel",
            "fork_kernel",
            "roll_back_session",
            "exec_in_sandbox",
            "read_file",
            "write_file",
            "connect_to_port",
            "start_sandbox",
            "jupyter_restart");
  }

  private static List<String> things(ServedDocument.Described operation) {
    var path = operation.path();
    if (path.startsWith("/kernels/{")
        || path.startsWith("/sessions/{")
        || path.startsWith("/api/kernels/{")) {
      return List.of("outside", "permissive", "showing");
    }
    return path.startsWith("/sandboxes/{")
        ? List.of("outside", "permissive", "showing", "reaching")
        : List.of();
  }

  @Test
  void whatIsThereCanBeLookedAtStoppedAndEndedByEverybody() {
    var order = FOR_EVERYBODY.stream().sorted(BoundsWalkTest::endingLast).toList();
    for (var id : order) {
      var operation = served.operation(id);
      var sandbox = operation.path().startsWith("/sandboxes");
      var thing = sandbox || !id.contains("jupyter") ? "outside" : jupyterId();
      var reply = ask(operation, operation.path().replaceAll("\\{\\w+}", thing), Map.of());
      assertThat(reply.status()).as(id + reply.body()).isNotEqualTo(403);
    }
    assertThat(server.core.sandboxes().find("outside")).isEmpty();
  }

  private static int endingLast(String one, String other) {
    return Boolean.compare(ends(one), ends(other));
  }

  private static boolean ends(String id) {
    return id.startsWith("destroy") || id.startsWith("remove") || id.contains("shut_down");
  }

  private String jupyterId() {
    return server.core.find("showing").orElseThrow().kernelId();
  }

  @Test
  void webSocketToAKernelOutsideIsNotOpened() {
    for (var name : List.of("outside", "permissive", "showing")) {
      var id = server.core.require(name).kernelId();
      var headers =
          List.of(
              "Host: localhost",
              "Upgrade: websocket",
              "Connection: Upgrade",
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
              "Sec-WebSocket-Version: 13");
      assertThat(RawHttp.head(port, "/api/kernels/" + id + "/channels", headers))
          .isEqualTo("HTTP/1.1 403");
    }
  }

  @Test
  void jupytersFieldsDoNotLeadOutOfASandbox() {
    var body =
        Map.of(
            "name", "python3",
            "path", "/etc",
            "env", Map.of("KERNEL_WORKING_DIR", "/etc", "KERNEL_USERNAME", "root"));
    var made = server.sendTo(port, "POST", "/api/kernels", Json.text(body));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertNothingIsWide("jupyter");
  }

  @Test
  void streamedAndFramedExecutionsAreRefusedWithAStatusToo() {
    for (var accept : List.of("text/event-stream", "application/vnd.husk.frames")) {
      for (var target : List.of("/kernels/outside/execute", "/kernels/outside/execute/retry")) {
        var reply = server.sendTo(port, "POST", target, "{\"code\":\"1\"}", "Accept", accept);
        assertThat(reply.status()).as(accept).isEqualTo(403);
      }
    }
  }

  @Test
  void overTheDaemonsOwnSocketNothingChanges() {
    var code = Map.of("code", "6 * 7", "client", server.client());
    var ran = server.overSocket("POST", "/kernels/outside/execute", Json.text(code));
    assertThat(ran.json().path("return_value").asString()).isEqualTo("42");
    var command = Json.text(Map.of("command", List.of("echo", "42")));
    var said = server.overSocket("POST", "/sandboxes/outside/exec", command);
    assertThat(said.json().path("stdout").asString()).isEqualTo("42\n");
  }
}
