package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands in sandboxes over HTTP: their streams, their input, their ends.
final class SandboxCommandRestTest extends SandboxRestFixture {
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
