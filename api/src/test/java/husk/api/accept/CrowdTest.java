package husk.api.accept;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// More callers than a process has memory or descriptors for.
@ExtendWith(LeakDetector.class)
final class CrowdTest {
  private static final byte[] NOTHING = {};
  private static final int MANY = 24;

  @Test
  void largeBodiesAtOnceDoNotEndTheProcess() throws Exception {
    var longCode = "{\"code\":\"" + "é".repeat(3 << 20) + "\"}";
    var tooLong = "{\"code\":\"" + "x".repeat(60 << 20) + "\"}";
    var values = "{\"code\":[" + "{\"\":{}},".repeat(800_000) + "0]}";
    try (var server = new CrowdedProcess(1024)) {
      assertThat(answers(server, "POST", "/code", longCode.getBytes(UTF_8), MANY))
          .allMatch(answer -> answer.matches("200|503"))
          .contains("200");
      assertThat(answers(server, "POST", "/code", tooLong.getBytes(UTF_8), 4)).containsOnly("413");
      assertThat(answers(server, "POST", "/code", values.getBytes(UTF_8), MANY))
          .allMatch(answer -> answer.matches("413|503"))
          .contains("413");
      assertThat(health(server)).isEqualTo("200 well");
      assertThat(server.alive()).isTrue();
    }
  }

  private static String health(CrowdedProcess server) throws IOException {
    try (var caller = server.call()) {
      return caller.ask("GET", "/health", NOTHING);
    }
  }

  /// The statuses of so many requests at once.
  private static List<String> answers(
      CrowdedProcess server, String method, String target, byte[] body, int count)
      throws Exception {
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<String> call =
          () -> {
            try (var caller = server.call()) {
              return caller.ask(method, target, body).substring(0, 3);
            }
          };
      var all = new ArrayList<Future<String>>();
      for (int i = 0; i < count; i++) {
        all.add(callers.submit(call));
      }
      var statuses = new ArrayList<String>();
      for (var one : all) {
        statuses.add(one.get());
      }
      return statuses;
    }
  }

  @Test
  void oneChunkOfAGigabyteIsNotKept() throws Exception {
    try (var server = new CrowdedProcess(1024);
        var caller = server.call()) {
      caller.say("POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      caller.say("40000000\r\n");
      sayUntilRefused(caller);
      assertThat(health(server)).isEqualTo("200 well");
    }
  }

  private static void sayUntilRefused(RawCaller caller) {
    var piece = new byte[1 << 20];
    try {
      for (int i = 0; i < 1024; i++) {
        caller.say(piece);
      }
    } catch (IOException refused) {
      // as it should be
    }
  }

  @Test
  void idleConnectionsBeyondTheDescriptorsKeepNobodyOut() throws Exception {
    var idle = new ArrayList<RawCaller>();
    try (var server = new CrowdedProcess(256)) {
      for (int i = 0; i < 600; i++) {
        idle.add(server.call());
      }
      assertThat(health(server)).isEqualTo("200 well");
      server.awaitSaid("no place for more connections");
    } finally {
      idle.forEach(CrowdTest::close);
    }
  }

  @Test
  void ownSocketIsAnsweredWhileThereIsNoPlaceOverTcp() throws Exception {
    var slow = new ArrayList<RawCaller>();
    try (var server = new CrowdedProcess(256)) {
      for (int i = 0; i < 300; i++) {
        slow.add(server.call().say("POST /code HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"));
      }
      server.awaitSaid("no place for more connections");
      assertThat(server.askOverSocket("/health")).isEqualTo(200);
    } finally {
      slow.forEach(CrowdTest::close);
    }
  }

  private static void close(RawCaller caller) {
    try {
      caller.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void doorOpensAgainOnceThereAreDescriptors() throws Exception {
    try (var server = new CrowdedProcess(256, "careless")) {
      server.tell("eat");
      try (var waiting = server.call()) {
        waiting.say("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
        server.awaitSaid("cannot accept connections");
        server.tell("spit");
        assertThat(waiting.answer()).isEqualTo("200 well");
        server.awaitSaid("accepts connections again");
      }
    }
  }
}
