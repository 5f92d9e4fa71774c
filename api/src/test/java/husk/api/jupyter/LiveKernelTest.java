package husk.api.jupyter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.testkit.LeakDetector;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Jupyter's clients and kernels that are copies, or go back.
@ExtendWith(LeakDetector.class)
final class LiveKernelTest {
  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String result(Client client, String code) {
    return client.run(code).stream()
        .filter(message -> message.type().equals("execute_result"))
        .map(message -> message.content().path("data").path("text/plain").asString())
        .findFirst()
        .orElse("nothing");
  }

  @Test
  void aForkIsListedAndAnswersOverItsWebSocket() {
    var kernel = server.kernel();
    try (var client = server.connect(kernel, "s")) {
      client.run("x = [1]");
      var forked = server.core.fork(kernel, List.of(Optional.of("other")), false, server.caller());
      var listed = server.get("/api/kernels").body();
      assertEquals(2, listed.size());
      var fork = listed.get(1).path("id").asString();
      assertEquals(forked.kernels().getFirst().kernelId(), fork.replace("-", ""));
      try (var other = server.connect(fork, "t")) {
        assertEquals("[1, 2]", result(other, "x + [2]"));
        assertEquals("[1]", result(client, "x"));
      }
    }
  }

  @Test
  void aClientGoesOnAfterARollbackWithoutConnectingAgain() {
    var kernel = server.kernel();
    try (var client = server.connect(kernel, "s")) {
      client.run("x = 1");
      server.core.checkpoint(kernel, Optional.empty(), false, server.caller());
      client.run("x = 2");
      server.core.rollback(kernel, Optional.empty());
      assertEquals("1", result(client, "x"));
      assertTrue(server.get("/api/kernels").body().get(0).path("id").asString().equals(kernel));
    }
  }

  @Test
  void whatWaitedWhenTheKernelWasTakenBackIsAnsweredAndNobodyHearsOfACrash() {
    var kernel = server.kernel();
    try (var client = server.connect(kernel, "s")) {
      client.run("x = 1");
      server.core.checkpoint(kernel, Optional.empty(), false, server.caller());
      client.execute("import time; print('runs', flush=True); time.sleep(60)");
      var queued = client.execute("x = 2");
      client.until(m -> m.type().equals("stream"));
      server.core.rollback(kernel, Optional.empty());
      var heard =
          client.until(m -> m.type().equals("execute_reply") && m.parentId().equals(queued));
      assertEquals("KernelReplaced", heard.getLast().content().path("ename").asString());
      heard.addAll(client.run("x"));
      assertTrue(heard.stream().noneMatch(m -> m.status("restarting")), heard::toString);
    }
  }
}
