package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.GuestAgent;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sandboxes over TCP, with nothing but HTTP.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(LeakDetector.class)
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SandboxRestTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String EXEC = "/sandboxes/box/exec";

  private final ApiServer server = new ApiServer();
  private final java.net.http.HttpClient client = java.net.http.HttpClient.newHttpClient();

  /// What the first sandbox brings to life is no test's leftover.
  @BeforeAll
  void warmUp() {
    GuestAgent.program();
    make();
    clean();
  }

  @BeforeEach
  void make() {
    var made = server.post("/sandboxes", "{\"name\":\"box\"}");
    assertThat(made.status()).as(made.body()).isEqualTo(201);
  }

  @AfterEach
  void clean() {
    server.post("/sandboxes/clean", "{\"force\":true}");
  }

  @AfterAll
  void close() {
    client.shutdownNow();
    server.close();
  }

  private static String command(Map<String, Object> more, String... argv) {
    var body = new java.util.HashMap<>(more);
    body.put("command", argv);
    return Json.text(body);
  }

  private static String shell(String script) {
    return command(Map.of(), "/bin/sh", "-c", script);
  }

  /// What is sent of something, as events.
  private StreamedReply follow(String target, String... headers) throws Exception {
    var request =
        java.net.http.HttpRequest.newBuilder(server.at(target))
            .header("Accept", "text/event-stream");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return new StreamedReply(
        client.send(request.build(), java.net.http.HttpResponse.BodyHandlers.ofInputStream()));
  }

  private boolean runs(String what) {
    var said = server.post(EXEC, shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).json();
    return said.path("stdout").stringValue().contains(what);
  }

  private void assertSoonOver(String what) {
    Eventually.until(PATIENCE, () -> !runs(what), () -> what + " goes on");
  }

  // Commands

  @Test
  void commandIsAnsweredWithBothStreamsAndItsExitCode() {
    var ran = server.post(EXEC, shell("echo out; echo err >&2; exit 7"));
    assertThat(ran.status()).isEqualTo(200);
    assertThat(ran.json().path("stdout").stringValue()).isEqualTo("out\n");
    assertThat(ran.json().path("stderr").stringValue()).isEqualTo("err\n");
    assertThat(ran.json().path("exit_code").intValue()).isEqualTo(7);
    assertThat(ran.json().path("success").booleanValue()).isFalse();
    assertThat(ran.json().path("reason").stringValue()).isEqualTo("exited");
  }

  @Test
  void eventsComeWhileTheCommandRuns() {
    var script = "echo out; echo err >&2; read line; echo got $line; exit 3";
    var body = command(Map.of("open_stdin", true), "/bin/sh", "-c", script);
    try (var stream = server.stream(EXEC, body)) {
      var started = stream.next();
      assertThat(started.name()).isEqualTo("started");
      var first = List.of(stream.next().data(), stream.next().data());
      assertThat(first)
          .extracting(it -> it.path("stream").stringValue() + it.path("data").stringValue())
          .containsExactlyInAnyOrder("stdoutout\n", "stderrerr\n");
      var id = started.data().path("id").stringValue();
      var sent =
          server.send("POST", EXEC + "/" + id + "/stdin", "word\n", "application/octet-stream");
      assertThat(sent.body()).isEqualTo("{\"bytes\":5}");
      assertThat(stream.next().data().path("data").stringValue()).isEqualTo("got word\n");
      var done = stream.next();
      assertThat(done.name()).isEqualTo("done");
      assertThat(done.data().path("exit_code").intValue()).isEqualTo(3);
      assertThat(stream.rest()).isEmpty();
    }
  }

  @Test
  void onlookerThatLeavesDoesNotTakeTheInputAlong() throws Exception {
    try (var stream = server.stream(EXEC, command(Map.of("open_stdin", true), "cat"))) {
      var id = stream.next().data().path("id").stringValue();
      try (var onlooker = follow(EXEC + "/detached/" + id + "/logs?follow=false")) {
        assertThat(onlooker.next().data().path("id").stringValue()).isEqualTo(id);
        assertThat(onlooker.rest()).isNotEmpty();
      }
      var target = EXEC + "/" + id + "/stdin?end=1";
      assertThat(server.send("POST", target, "word", "application/octet-stream").status())
          .isEqualTo(200);
      assertThat(stream.next().data().path("data").stringValue()).isEqualTo("word");
    }
  }

  @Test
  void charactersAreNotCutWhereThePiecesAre() {
    var script = "printf '\\303'; sleep 0.2; printf '\\274\\n'; printf '\\377'";
    try (var stream = server.stream(EXEC, shell(script))) {
      var text = new StringBuilder();
      stream.rest().stream()
          .filter(event -> event.name().equals("output"))
          .forEach(event -> text.append(event.data().path("data").stringValue()));
      assertThat(text.toString()).isEqualTo("ü\n\ufffd");
    }
  }

  @Test
  void whoeverLeavesEndsTheCommand() {
    try (var stream = server.stream(EXEC, shell("echo up; sleep 3001 & sleep 3002"))) {
      stream.next();
      stream.next();
    }
    assertSoonOver("sleep 300");
  }

  @Test
  void whoeverLeavesAnAnswerItWaitsForEndsTheCommand() throws IOException {
    var body = shell("sleep 3003 & sleep 3004").getBytes(StandardCharsets.UTF_8);
    var head =
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            .formatted(EXEC, body.length);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().write(body);
      Eventually.until(PATIENCE, () -> runs("sleep 300"), () -> "it does not begin");
    }
    assertSoonOver("sleep 300");
  }

  @Test
  void slowAnswerIsOneAllTheSame() {
    var ran = server.post(EXEC, shell("sleep 2.5; echo late"));
    assertThat(ran.json().path("stdout").stringValue()).isEqualTo("late\n");
  }

  @Test
  void detachedCommandGoesOnWhenItsCallerLeaves() {
    var body = command(Map.of("detached", true), "/bin/sh", "-c", "echo up; sleep 1; echo still");
    String id;
    try (var stream = server.stream(EXEC, body)) {
      id = stream.next().data().path("id").stringValue();
    }
    Eventually.until(
        PATIENCE,
        () -> server.get(EXEC + "/detached/" + id + "/logs").body().contains("up\\nstill\\n"),
        () -> server.get(EXEC + "/detached/" + id + "/logs").body());
    var known = server.get(EXEC + "/detached/" + id).json();
    assertThat(known.path("status").stringValue()).isEqualTo("completed");
  }

  @Test
  void inputIsTextOrBytes() {
    var text = server.post(EXEC, command(Map.of("stdin", "ü"), "cat")).json();
    assertThat(text.path("stdout").stringValue()).isEqualTo("ü");
    var base64 = Base64.getEncoder().encodeToString(new byte[] {0, 1, 2, (byte) 255});
    var bytes = Map.<String, Object>of("stdin", base64, "stdin_encoding", "base64");
    assertThat(server.post(EXEC, command(bytes, "wc", "-c")).json().path("stdout").stringValue())
        .isEqualTo("4\n");
  }

  @Test
  void inputLargerThanAnyBufferComesBack() {
    var text = "0123456789abcdef".repeat(300_000);
    var ran = server.post(EXEC, command(Map.of("stdin", text), "cat")).json();
    assertThat(ran.path("stdout").stringValue()).hasSize(text.length());
  }

  @Test
  void moreOutputThanIsKeptIsSaidToBeMissing() {
    var ran = server.post(EXEC, command(Map.of(), "head", "-c", "11000000", "/dev/zero")).json();
    assertThat(ran.path("truncated").booleanValue()).isTrue();
    assertThat(ran.path("stdout").stringValue()).hasSize(10 << 20);
  }

  @Test
  void variablesMayBeAListAsAgentkernelSendsThem() {
    var body = Map.<String, Object>of("env", List.of("A=x=y", "B="), "workdir", "/");
    var ran = server.post(EXEC, command(body, "/bin/sh", "-c", "echo $A$B; pwd")).json();
    assertThat(ran.path("stdout").stringValue()).isEqualTo("x=y\n/\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"command\":[]}",
        "{\"command\":[\"\"]}",
        "{\"command\":\"ls -l\"}",
        "{\"command\":[\"ls\",1]}",
        "{\"command\":[\"a\\u0000b\"]}",
        "{\"command\":[\"ls\"],\"env\":{\"A\":1}}",
        "{\"command\":[\"ls\"],\"env\":[\"A\"]}",
        "{\"command\":[\"ls\"],\"env\":{\"A=B\":\"c\"}}",
        "{\"command\":[\"ls\"],\"env\":{\"A\":\"\\u0000\"}}",
        "{\"command\":[\"ls\"],\"workdir\":\"/\\u0000\"}",
        "{\"command\":[\"ls\"],\"workdir\":\"/no/such/place\"}",
        "{\"command\":[\"ls\"],\"timeout\":-1}",
        "{\"command\":[\"ls\"],\"sudo\":true}",
        "{\"command\":[\"ls\"],\"open_stdin\":true}",
        "{\"command\":[\"ls\"],\"stdin\":\"x\",\"stdin_encoding\":\"rot13\"}",
        "{\"command\":[\"ls\"],\"terminal\":{\"rows\":0,\"columns\":1}}",
        "{\"command\":[\"/etc/hosts\"]}",
      })
  void commandThatCannotBeUnderstoodIsRefused(String body) {
    var reply = server.post(EXEC, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(422);
    assertThat(reply.json().at("/error/code").isMissingNode()).isFalse();
  }

  @Test
  void commandLongerThanTheAgentTakesIsTooLarge() {
    var reply = server.post(EXEC, command(Map.of(), "echo", "x".repeat(2_000_000)));
    assertThat(reply.status()).isEqualTo(413);
  }

  @Test
  void programThatIsMissingIsNotFoundAndNothingIsStreamed() {
    var reply =
        server.send(
            "POST",
            EXEC,
            command(Map.of(), "no-such-program"),
            "application/json",
            "Accept",
            "text/event-stream");
    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.json().at("/error/code").stringValue()).isEqualTo("not_found_inside");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stdin", "signal"})
  void whatNobodyStreamsTakesNothing(String what) {
    var reply = server.post(EXEC + "/0123/" + what);
    assertThat(reply.status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "0", "65", "-9", "99999999999", ""})
  void whatIsNoSignalIsRefused(String word) {
    var id = server.post(EXEC + "/detach", command(Map.of(), "sleep", "1000")).json().path("id");
    var target = EXEC + "/detached/" + id.stringValue() + "?signal=" + word;
    assertThat(server.delete(target).status()).isEqualTo(422);
  }

  @Test
  void commandsOfOneSandboxAreUnknownInAnother() {
    server.post("/sandboxes", "{\"name\":\"other\"}");
    var id = server.post(EXEC + "/detach", command(Map.of(), "sleep", "1000")).json().path("id");
    var elsewhere = "/sandboxes/other/exec/detached/" + id.stringValue();
    assertThat(server.get(elsewhere).status()).isEqualTo(404);
    assertThat(server.delete(elsewhere).status()).isEqualTo(404);
    assertThat(server.get(elsewhere + "/logs").status()).isEqualTo(404);
  }

  @Test
  void endOfTheSandboxIsTheEndOfItsStreams() {
    try (var stream = server.stream(EXEC, shell("echo up; sleep 1000"))) {
      stream.next();
      stream.next();
      assertThat(server.post("/sandboxes/box/stop").status()).isEqualTo(200);
      var last = stream.rest().getLast();
      assertThat(last.name()).isEqualTo("done");
      assertThat(last.data().path("success").booleanValue()).isFalse();
    }
    var refused = server.post(EXEC, shell("true"));
    assertThat(refused.status()).isEqualTo(409);
  }

  // Creation

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"profil\":\"restrictive\"}",
        "{\"profile\":\"lenient\"}",
        "{\"image\":\"alpine:3.20\"}",
        "{\"limits\":{\"memroy_mb\":1}}",
        "{\"limits\":{\"memory_mb\":\"much\"}}",
        "{\"limits\":{\"memory_mb\":100},\"memory_mb\":200}",
        "{\"limits\":[]}",
        "{\"network\":false,\"allow\":[\"example.org\"]}",
        "{\"name\":\"../up\"}",
        "{\"ports\":[\"a:b\"]}",
        "{\"ttl_seconds\":-1}",
        "{\"env\":{\"A\":null}}",
        "{\"mounts\":[\"relative\"]}"
      })
  void settingThatCannotBeHonouredIsRefusedAndNothingIsMade(String body) {
    var reply = server.post("/sandboxes", body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(422);
    assertThat(server.get("/sandboxes").json().path("sandboxes")).hasSize(1);
  }

  @Test
  void sizesMayBeSpelledAsAgentkernelSpellsThem() {
    var body = "{\"name\":\"sized\",\"vcpus\":2,\"memory_mb\":300,\"ports\":null,\"labels\":null}";
    var limits = server.post("/sandboxes", body).json().at("/spec/limits");
    assertThat(limits.path("memory_mb").intValue()).isEqualTo(300);
    assertThat(limits.path("cpu_percent").intValue()).isEqualTo(200);
  }

  @Test
  void lifeIsExtendedAsAgentkernelAsksForIt() {
    for (var body : List.of("{\"by\":\"30m\"}", "{\"seconds\":60}", "")) {
      var reply = server.send("POST", "/sandboxes/box/extend", body, "application/json");
      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
      assertThat(reply.json().path("expires_at").isString()).isTrue();
    }
    for (var body : List.of("{\"by\":\"soon\"}", "{\"seconds\":0}", "{\"by\":\"0s\"}")) {
      var reply = server.post("/sandboxes/box/extend", body);
      assertThat(reply.status()).as(reply.body()).isEqualTo(422);
    }
  }

  // Files

  @Test
  void fileOfAnySizeGoesInAndOutWithoutFillingMemory() throws Exception {
    long size = 700L << 20;
    var target = server.at("/sandboxes/box/fs/content?path=/workspace/large");
    var zeros = new byte[1 << 20];
    var pieces = java.util.stream.Stream.generate(() -> zeros).limit(size >> 20).toList();
    var put =
        java.net.http.HttpRequest.newBuilder(target)
            .PUT(java.net.http.HttpRequest.BodyPublishers.ofByteArrays(pieces))
            .build();
    var sent = client.send(put, java.net.http.HttpResponse.BodyHandlers.ofString());
    assertThat(sent.body()).isEqualTo("{\"bytes\":" + size + "}");
    var get = java.net.http.HttpRequest.newBuilder(target).build();
    try (var in =
        client.send(get, java.net.http.HttpResponse.BodyHandlers.ofInputStream()).body()) {
      assertThat(in.transferTo(java.io.OutputStream.nullOutputStream())).isEqualTo(size);
    }
  }

  @Test
  void bodyThatBreaksOffIsNoFile() throws IOException {
    var target = "/sandboxes/box/fs/content?path=/workspace/f";
    server.send("PUT", target, "old", "application/octet-stream");
    for (var framing : List.of("Content-Length: 100", "Transfer-Encoding: chunked")) {
      var head = "PUT " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + framing + "\r\n\r\n";
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        var start = framing.startsWith("T") ? "3\r\nnew\r\n" : "new";
        socket.getOutputStream().write((head + start).getBytes(StandardCharsets.UTF_8));
      }
    }
    assertThat(server.get("/sandboxes/box/fs/entries?path=/workspace").json().path("entries"))
        .as("nothing half-written is left to be seen")
        .isNotEmpty();
    assertThat(server.get(target).body()).isEqualTo("old");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?path=", "?path=relative", "?path=%00", "?path=/a%00b", "?mode=644"})
  void whatIsNoPathIsRefused(String query) {
    for (var what : List.of("content", "tar", "entry", "entries")) {
      var reply = server.get("/sandboxes/box/fs/" + what + query);
      assertThat(reply.status()).as(what + reply.body()).isEqualTo(422);
    }
  }

  @Test
  void hostIsNotSeenThroughAPathOrALink() {
    server.post(EXEC, shell("ln -s /etc/shadow link; ln -s " + server.home() + " home"));
    assertThat(server.get("/sandboxes/box/fs/content?path=/workspace/link").status())
        .isEqualTo(404);
    assertThat(server.get("/sandboxes/box/fs/entries?path=/workspace/home").status())
        .isEqualTo(404);
    assertThat(
            server.get("/sandboxes/box/fs/content?path=/workspace/../../../../etc/shadow").status())
        .isEqualTo(404);
  }

  @Test
  void whatMayNotBeWrittenIsForbidden() {
    var reply =
        server.send(
            "PUT", "/sandboxes/box/fs/content?path=/usr/x", "x", "application/octet-stream");
    assertThat(reply.status()).as(reply.body()).isEqualTo(403);
  }

  // Events and ports

  @Test
  void eventsAreFollowedAndTakenUpAgain() throws Exception {
    try (var stream = follow("/sandboxes/box/events", "Last-Event-ID", "2")) {
      var next = CompletableFuture.supplyAsync(stream::next);
      server.post("/sandboxes/box/egress", "{\"deny\":[\"example.org\"]}");
      assertThat(next.get().name()).isEqualTo("policy_changed");
      server.delete("/sandboxes/box");
      Eventually.until(PATIENCE, () -> stream.next().name().equals("end"), () -> "events go on");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"?after=x", "?after=-1", "?wait=soon"})
  void pageThatCannotBeUnderstoodIsRefused(String query) {
    assertThat(server.get("/sandboxes/box/events" + query).status()).isEqualTo(422);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "65536", "http", "-1", "99999999999"})
  void whatIsNoPortIsRefused(String port) {
    assertThat(server.post("/sandboxes/box/ports/" + port).status()).isEqualTo(422);
  }

  @Test
  void portNobodyListensOnIsUnavailable() {
    var reply = server.post("/sandboxes/box/ports/9");
    assertThat(reply.status()).as(reply.body()).isEqualTo(503);
  }

  // Who may come in

  @Test
  void agentsSocketIsToldOnTheDaemonsOwnSocketAlone() {
    assertThat(server.post("/sandboxes/box/used").status()).isEqualTo(404);
    assertThat(server.overSocket("POST", "/sandboxes/box/used", "").status()).isEqualTo(200);
  }

  @Test
  void webPageOfAnotherSiteRunsNothing() {
    var reply =
        server.send(
            "POST", EXEC, shell("true"), "application/json", "Origin", "https://evil.example");
    assertThat(reply.status()).isEqualTo(403);
  }

  @Test
  void formOfAWebPageIsNoBody() {
    var reply = server.send("POST", EXEC, shell("true"), "text/plain");
    assertThat(reply.status()).isEqualTo(422);
  }

  @Test
  void whoShowsNoKeyRunsNothing() {
    try (var locked = new ApiServer("secret")) {
      assertThat(locked.post(EXEC, shell("true")).status()).isEqualTo(401);
      assertThat(locked.get("/sandboxes").status()).isEqualTo(401);
      var shown = locked.send("GET", "/sandboxes", "", "", "Authorization", "Bearer secret");
      assertThat(shown.status()).isEqualTo(200);
    }
  }

  @Test
  void everyByteArrivesInFrames() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var body = shell("printf '\\377\\000\\n'; printf e >&2");
    try (var stream = server.stream(EXEC, body, "Accept", "application/vnd.husk.frames")) {
      for (var frame = stream.frame(); frame.kind() != husk.local.Frame.Kind.RESULT; ) {
        if (frame.kind() == husk.local.Frame.Kind.STDOUT) {
          bytes.write(frame.bytes());
        }
        frame = stream.frame();
      }
    }
    assertThat(bytes.toByteArray()).containsExactly(0xff, 0, '\n');
  }
}
