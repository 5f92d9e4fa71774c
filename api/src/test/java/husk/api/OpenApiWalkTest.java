package husk.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import husk.model.Ids;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Performs every operation of the served document against the server, with a real kernel, and
/// holds each answer, good or bad, to what the document says of it.
@ExtendWith(LeakDetector.class)
class OpenApiWalkTest {
  private static final String CODE = "{\"code\":\"print(1); 2\"}";
  private static final String SPEC = "python3";
  private static final String SANDBOX =
      "{\"name\":\"agent\",\"backend\":\"host\",\"labels\":{\"task\":\"walk\"},\"ttl_seconds\":3600}";

  private final ApiServer server = new ApiServer(Map.of("allow_host_backend", true));
  private final ServedDocument served = new ServedDocument(server.get("/openapi.json").json());
  private final Map<String, Supplier<ApiServer.Reply>> plans = new LinkedHashMap<>();
  private String execution = "";
  private java.net.@org.jspecify.annotations.Nullable ServerSocket port;

  @BeforeEach
  void make() {
    server.post("/sessions/agent", ApiServer.marked("\"tags\":{\"a\":\"b\"}"));
    execution =
        server.post("/kernels/agent/execute", CODE).json().path("execution_id").stringValue();
    planService();
    planKernels();
    planExecutions();
    planLiveState();
    planSandboxes();
    planCommands();
    planFiles();
    planJupyter();
  }

  @AfterEach
  void close() throws java.io.IOException {
    if (port != null) {
      port.close();
    }
    server.close();
  }

  private void planService() {
    plans.put("discover", () -> server.get("/"));
    plans.put("health", () -> server.get("/health"));
    plans.put("list_kernelspecs", () -> server.get("/kernelspecs"));
    plans.put("metrics", () -> server.get("/metrics"));
    plans.put("openapi", () -> server.get("/openapi.json"));
    plans.put("swagger_ui", () -> server.get("/docs"));
    plans.put("redoc", () -> server.get("/redoc"));
    plans.put("swagger_ui_file", () -> server.get("/docs/start.js"));
    plans.put("redoc_file", () -> server.get("/redoc/start.js"));
  }

  private void planKernels() {
    plans.put("list_kernels", () -> server.get("/kernels?refresh=1"));
    plans.put("create_kernel", () -> server.post("/kernels", ApiServer.marked()));
    plans.put("get_kernel", () -> server.get("/kernels/agent"));
    plans.put("interrupt_kernel", () -> server.post("/kernels/agent/interrupt"));
    plans.put("restart_kernel", () -> server.post("/kernels/agent/restart"));
    plans.put("get_kernel_log", () -> server.get("/kernels/agent/log"));
    plans.put("list_sessions", () -> server.get("/sessions?refresh=1"));
    plans.put("get_or_create_session", () -> server.post("/sessions/agent", "{}"));
    plans.put("get_session", () -> server.get("/sessions/agent"));
    plans.put("interrupt_session", () -> server.post("/sessions/agent/interrupt"));
    plans.put("restart_session", () -> server.post("/sessions/agent/restart"));
    plans.put("destroy_session", () -> onNew(() -> server.delete("/sessions/new")));
    plans.put("destroy_kernel", () -> onNew(() -> server.delete("/kernels/new")));
    plans.put("destroy_all_kernels", () -> server.delete("/kernels"));
  }

  private ApiServer.Reply onNew(Supplier<ApiServer.Reply> call) {
    server.post("/sessions/new", ApiServer.marked());
    return call.get();
  }

  private void planExecutions() {
    plans.put("execute", () -> server.post("/kernels/agent/execute", CODE));
    plans.put(
        "execute_with_retry",
        () -> server.post("/kernels/agent/execute/retry", "{\"code\":\"1/0\"}"));
    plans.put(
        "execute_in_session", () -> server.post("/sessions/agent/execute", "{\"code\":\"1/0\"}"));
    plans.put("retry_in_session", () -> server.post("/sessions/agent/execute/retry", CODE));
    plans.put(
        "execute_with_retry_in_session",
        () -> server.post("/sessions/agent/execute_with_retry", CODE));
    plans.put("list_executions", () -> server.get("/executions?kernel=agent"));
    plans.put("get_execution", () -> server.get("/executions/" + execution + "?wait=1"));
    plans.put("cancel_execution", () -> server.delete("/executions/" + execution));
    plans.put("follow_execution", this::follow);
  }

  private ApiServer.Reply follow() {
    var id = Ids.fresh();
    var body = Json.text(Map.of("code", "1", "execution_id", id));
    server.send(
        "POST", "/kernels/agent/execute", body, "application/json", "Accept", "text/event-stream");
    return server.get("/executions/" + id + "/events");
  }

  private void planLiveState() {
    for (var who : new String[] {"kernel", "session"}) {
      var agent = "/" + who + "s/agent";
      plans.put("fork_" + who, () -> server.post(agent + "/fork", "{\"count\":2}"));
      plans.put("promote_fork_of_" + who, () -> promoted(agent));
      plans.put("checkpoint_" + who, () -> server.post(agent + "/checkpoints"));
      plans.put("list_checkpoints_of_" + who, () -> server.get(agent + "/checkpoints"));
      plans.put("drop_checkpoint_of_" + who, () -> dropped(agent));
      plans.put("roll_back_" + who, () -> server.post(agent + "/rollback"));
      plans.put("diff_" + who, () -> changed(agent));
      plans.put("keep_preview_of_" + who, () -> previewed(agent, "keep"));
      plans.put("discard_preview_of_" + who, () -> previewed(agent, "discard"));
      plans.put(
          "best_of_" + who,
          () -> server.post(agent + "/best-of", "{\"codes\":[\"1/0\",\"x = 1\"],\"score\":\"x\"}"));
    }
  }

  private ApiServer.Reply promoted(String agent) {
    var fork = server.post(agent + "/fork", "{}").json().at("/kernels/0/kernel_id").stringValue();
    return server.post(agent + "/promote", Json.text(Map.of("fork", fork)));
  }

  private ApiServer.Reply changed(String agent) {
    server.post(agent + "/execute", "{\"code\":\"gone = 1; there = 1\"}");
    server.post(agent + "/checkpoints");
    server.post(agent + "/execute", "{\"code\":\"del gone; there = [2]; new = open\"}");
    return server.get(agent + "/diff");
  }

  private ApiServer.Reply previewed(String agent, String decision) {
    var code = "import subprocess; there = 3; subprocess.run(['true'])";
    var ran = server.post(agent + "/execute", Json.text(Map.of("code", code, "preview", true)));
    var execute = served.operation("execute");
    assertThat(served.faults(execute, ran)).as(ran.body()).isEmpty();
    assertThat(ran.json().at("/effects/processes/0/argv/0").stringValue()).isEqualTo("true");
    return server.post(agent + "/preview/" + decision);
  }

  private ApiServer.Reply dropped(String agent) {
    var kept = server.post(agent + "/checkpoints").json().at("/checkpoint/id").stringValue();
    return server.delete(agent + "/checkpoints/" + kept);
  }

  private void planSandboxes() {
    server.post("/sandboxes", SANDBOX);
    plans.put("list_sandboxes", () -> server.get("/sandboxes?label=task=walk"));
    plans.put(
        "create_sandbox",
        () -> server.post("/sandboxes", "{\"backend\":\"host\",\"description\":\"made\"}"));
    plans.put("get_sandbox", () -> server.get("/sandboxes/agent"));
    plans.put(
        "describe_sandbox",
        () ->
            server.send(
                "PATCH", "/sandboxes/agent", "{\"description\":\"walked\"}", "application/json"));
    plans.put("start_sandbox", () -> server.post("/sandboxes/agent/start"));
    plans.put("stop_sandbox", () -> onSandbox(it -> server.post("/sandboxes/" + it + "/stop")));
    plans.put("remove_sandbox", () -> onSandbox(it -> server.delete("/sandboxes/" + it)));
    plans.put("extend_sandbox", () -> server.post("/sandboxes/agent/extend", "{\"by\":\"2h\"}"));
    plans.put(
        "change_egress",
        () -> server.post("/sandboxes/agent/egress", "{\"deny\":[\"a.example\"]}"));
    plans.put("sandbox_usage", () -> server.get("/sandboxes/agent/usage"));
    plans.put("sandbox_events", () -> server.get("/sandboxes/agent/events?after=0"));
    plans.put("collect_sandboxes", () -> server.post("/sandboxes/gc", "{\"dry_run\":true}"));
    plans.put("clean_sandboxes", () -> server.post("/sandboxes/clean"));
  }

  private ApiServer.Reply onSandbox(Function<String, ApiServer.Reply> call) {
    var made = server.post("/sandboxes", "{\"backend\":\"host\"}");
    return call.apply(made.json().path("name").stringValue());
  }

  private void planCommands() {
    var exec = "/sandboxes/agent/exec";
    plans.put("exec_in_sandbox", () -> server.post(exec, "{\"command\":[\"echo\",\"1\"]}"));
    plans.put("detach_command", () -> server.post(exec + "/detach", "{\"command\":[\"true\"]}"));
    plans.put("list_commands", () -> server.get(exec + "/detached?all=1"));
    plans.put("get_command", () -> server.get(exec + "/detached/" + detached("true")));
    plans.put("command_logs", () -> server.get(exec + "/detached/" + detached("true") + "/logs"));
    plans.put("kill_command", () -> server.delete(exec + "/detached/" + detached("sleep", "1000")));
    plans.put(
        "write_stdin", () -> onStream(id -> bytes("POST", exec + "/" + id + "/stdin?end=1", "in")));
    plans.put(
        "signal_command",
        () -> onStream(id -> server.post(exec + "/" + id + "/signal", "{\"signal\":\"WINCH\"}")));
    plans.put(
        "resize_terminal",
        () ->
            onStream(id -> server.post(exec + "/" + id + "/resize", "{\"rows\":3,\"columns\":4}")));
  }

  private String detached(String... command) {
    var body = Json.text(Map.of("command", command));
    return idOf(server.post("/sandboxes/agent/exec/detach", body));
  }

  /// Calls something about a command that is being streamed.
  private ApiServer.Reply onStream(Function<String, ApiServer.Reply> call) {
    var body =
        Map.of(
            "command",
            new String[] {"cat"},
            "open_stdin",
            true,
            "terminal",
            Map.of("rows", 10, "columns", 20));
    try (var stream = server.stream("/sandboxes/agent/exec", Json.text(body))) {
      return call.apply(stream.next().data().path("id").stringValue());
    }
  }

  private ApiServer.Reply bytes(String method, String target, String body) {
    return server.send(method, target, body, "application/octet-stream");
  }

  private void planFiles() {
    var fs = "/sandboxes/agent/fs/";
    var at =
        "?path=" + java.net.URLEncoder.encode(folder(), java.nio.charset.StandardCharsets.UTF_8);
    plans.put("write_file", () -> bytes("PUT", fs + "content" + at + "/f&mode=600", "text"));
    plans.put("read_file", () -> onFile(() -> server.get(fs + "content" + at + "/f")));
    plans.put("stat_file", () -> onFile(() -> server.get(fs + "entry" + at + "/f")));
    plans.put("remove_file", () -> onFile(() -> server.delete(fs + "entry" + at + "/f")));
    plans.put("list_folder", () -> server.get(fs + "entries" + at));
    plans.put("pack_folder", () -> server.get(fs + "tar" + at));
    plans.put("unpack_folder", () -> bytes("PUT", fs + "tar" + at, "\0".repeat(1024)));
    plans.put("make_folder", () -> server.post(fs + "directories", path("path", "/new")));
    plans.put(
        "move_file",
        () ->
            onFile(
                () ->
                    server.post(
                        fs + "move",
                        Json.text(Map.of("from", folder() + "/f", "to", folder() + "/g")))));
    planPorts();
  }

  private void planPorts() {
    try {
      port = new java.net.ServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    var path = "/sandboxes/agent/ports/" + port.getLocalPort();
    plans.put(
        "connect_to_port",
        () -> {
          Thread.startVirtualThread(this::answerPort);
          return server.post(path);
        });
    plans.put(
        "send_to_port",
        () -> {
          try (var stream = server.stream(path, "")) {
            return bytes("POST", path + "/" + stream.frameId() + "?end=1", "in");
          }
        });
  }

  private void answerPort() {
    try (var inside = requireNonNull(port).accept()) {
      inside.getOutputStream().write('x');
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /// Where its files are: on the host, which is where this sandbox is.
  private String folder() {
    return server.get("/sandboxes/agent").json().path("workspace").stringValue();
  }

  private String path(String name, String inside) {
    return Json.text(Map.of(name, folder() + inside));
  }

  private ApiServer.Reply onFile(Supplier<ApiServer.Reply> call) {
    var _ = requireNonNull(plans.get("write_file")).get();
    return call.get();
  }

  private void planJupyter() {
    plans.put("jupyter_version", () -> server.get("/api"));
    plans.put("jupyter_version_too", () -> server.get("/api/"));
    plans.put(
        "jupyter_kernelspec_file", () -> server.get("/kernelspecs/" + SPEC + "/logo-svg.svg"));
    plans.put("jupyter_status", () -> server.get("/api/status"));
    plans.put("jupyter_kernelspecs", () -> server.get("/api/kernelspecs"));
    plans.put("jupyter_kernelspec", () -> server.get("/api/kernelspecs/" + SPEC));
    plans.put("jupyter_list_kernels", () -> server.get("/api/kernels"));
    plans.put(
        "jupyter_start_kernel", () -> server.post("/api/kernels", "{\"name\":\"" + SPEC + "\"}"));
    plans.put("jupyter_get_kernel", () -> server.get("/api/kernels/" + jupyterKernel()));
    plans.put(
        "jupyter_interrupt", () -> server.post("/api/kernels/" + jupyterKernel() + "/interrupt"));
    plans.put("jupyter_restart", () -> server.post("/api/kernels/" + jupyterKernel() + "/restart"));
    plans.put("jupyter_shut_down_kernel", () -> server.delete("/api/kernels/" + jupyterKernel()));
    plans.put("jupyter_list_sessions", () -> server.get("/api/sessions"));
    plans.put("jupyter_start_session", this::jupyterSession);
    plans.put("jupyter_get_session", () -> server.get("/api/sessions/" + idOf(jupyterSession())));
    plans.put(
        "jupyter_change_session",
        () ->
            server.send(
                "PATCH",
                "/api/sessions/" + idOf(jupyterSession()),
                "{\"name\":\"renamed\"}",
                "application/json"));
    plans.put(
        "jupyter_delete_session", () -> server.delete("/api/sessions/" + idOf(jupyterSession())));
  }

  private String jupyterKernel() {
    return idOf(server.post("/api/kernels", "{\"name\":\"" + SPEC + "\"}"));
  }

  private ApiServer.Reply jupyterSession() {
    var body =
        Map.of(
            "path",
            Ids.fresh() + ".ipynb",
            "name",
            "n",
            "type",
            "notebook",
            "kernel",
            Map.of("name", SPEC));
    return server.post("/api/sessions", Json.text(body));
  }

  private static String idOf(ApiServer.Reply reply) {
    return reply.json().path("id").stringValue();
  }

  @Test
  void everyOperationIsAnsweredAsTheDocumentSays() {
    var order = new java.util.ArrayList<>(served.operations());
    // What destroys everything comes last.
    order.sort(java.util.Comparator.comparing(it -> it.id().equals("destroy_all_kernels")));
    for (var operation : order) {
      assertThat(plans).containsKey(operation.id());
      var reply = requireNonNull(plans.get(operation.id())).get();
      assertThat(reply.status()).as(operation.id() + " " + reply.body()).isBetween(200, 299);
      assertThat(served.faults(operation, reply)).as(operation.id() + reply.body()).isEmpty();
    }
  }

  @Test
  void unknownNamesAreAnsweredAsTheDocumentSays() {
    for (var operation : served.operations()) {
      if (!operation.path().contains("{") || !served.statuses(operation).contains("404")) {
        continue;
      }
      if (operation.path().startsWith("/sessions/") && operation.operation().has("requestBody")) {
        continue; // it makes the session
      }
      var path = operation.path().replaceAll("\\{\\w+}", Ids.fresh());
      var body = operation.operation().has("requestBody") ? CODE : "";
      var type = body.isEmpty() ? "" : "application/json";
      var reply =
          server.send(operation.method().toUpperCase(java.util.Locale.ROOT), path, body, type);
      assertThat(reply.status()).as(operation.id() + reply.body()).isEqualTo(404);
      assertThat(served.faults(operation, reply)).as(operation.id() + reply.body()).isEmpty();
    }
  }

  @Test
  void everyBodyIsRefusedAsTheDocumentSays() {
    for (var operation : served.operations()) {
      if (!served.statuses(operation).contains("413")) {
        continue;
      }
      var path = operation.path().replaceAll("\\{\\w+}", "agent");
      var seen = new TreeSet<Integer>();
      for (var body :
          new String[] {"[]", "{", "\"x\"", "{\"code\":1,\"tags\":[]}", "[".repeat(5000)}) {
        var method = operation.method().toUpperCase(java.util.Locale.ROOT);
        var reply = server.send(method, path, body, "application/json");
        assertThat(served.faults(operation, reply)).as(operation.id() + reply.body()).isEmpty();
        seen.add(reply.status());
      }
      assertThat(seen).as(operation.id()).contains(operation.path().startsWith("/api") ? 400 : 422);
    }
  }

  @Test
  void aDeadKernelAndALostOneAreDescribedToo() {
    var died = server.post("/kernels/agent/execute", "{\"code\":\"import os; os._exit(3)\"}");
    assertThat(died.json().at("/death/exit_code").intValue()).isEqualTo(3);
    assertThat(served.faults(served.operation("execute"), died)).isEmpty();
    var dead = server.get("/kernels/agent");
    assertThat(dead.json().path("alive").booleanValue()).isFalse();
    assertThat(served.faults(served.operation("get_kernel"), dead)).isEmpty();
  }

  @Test
  void whoShowsNoKeyIsTurnedAwayAsTheDocumentSays() {
    try (var locked = new ApiServer("secret")) {
      for (var operation : served.operations()) {
        boolean open = operation.operation().path("security").isArray();
        var path = operation.path().replaceAll("\\{\\w+}", "x");
        var reply =
            locked.send(operation.method().toUpperCase(java.util.Locale.ROOT), path, "", "");
        assertThat(reply.status()).as(operation.id()).isEqualTo(open ? 200 : 401);
        assertThat(served.faults(operation, reply)).as(operation.id() + reply.body()).isEmpty();
      }
    }
  }

  @Test
  void aRunningExecutionIsDescribed() {
    var id = Ids.fresh();
    var body = Json.text(Map.of("code", "while True: pass", "execution_id", id, "timeout", 300));
    var running =
        java.util.concurrent.CompletableFuture.supplyAsync(
            () -> server.post("/kernels/agent/execute", body));
    husk.testkit.Eventually.until(
        java.time.Duration.ofSeconds(60),
        () -> server.get("/executions/" + id).status() == 202,
        () -> "it does not begin");
    assertThat(served.faults(served.operation("get_execution"), server.get("/executions/" + id)))
        .isEmpty();
    var cancelled = server.delete("/executions/" + id);
    assertThat(cancelled.body()).isEqualTo("{\"cancelled\":true}");
    assertThat(served.faults(served.operation("execute"), running.join())).isEmpty();
  }

  @Test
  void namesAndLimitsAreAnsweredAsTheDocumentSays() {
    var conflict = server.post("/kernels", "{\"name\":\"agent\"}");
    assertThat(conflict.status()).isEqualTo(409);
    assertThat(served.faults(served.operation("create_kernel"), conflict)).isEmpty();
    var unknown = server.post("/sessions/other", "{\"kernel\":\"cobol\"}");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(served.faults(served.operation("get_or_create_session"), unknown)).isEmpty();
  }
}
