package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sandboxes over HTTP: how they are made, their files, events and ports, and who may use them.
final class SandboxRestTest extends SandboxRestFixture {
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
}
