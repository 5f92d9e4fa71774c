package husk.api.jupyter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.testkit.LeakDetector;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients hear when a kernel's process ends under them.
@ExtendWith(LeakDetector.class)
final class KernelEndTest {
  private TestServer server;
  private String kernel;

  @BeforeEach
  void start() {
    server = new TestServer();
    kernel = server.kernel();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void codeThatKillsItsKernelIsAnsweredAndTheClientGoesOn(boolean v1) {
    try (var client = v1 ? server.connectV1(kernel, "s") : server.connect(kernel, "s")) {
      client.run("x = 1");
      var id = client.execute("print('before', flush=True)\nimport os; os.kill(os.getpid(), 9)");
      var messages = client.until(m -> m.type().equals("execute_reply") && m.parentId().equals(id));
      var reply = messages.getLast().content();
      assertEquals("error", reply.path("status").asString());
      assertEquals("KernelDied", reply.path("ename").asString());
      assertTrue(reply.path("evalue").asString().contains("SIGKILL"), reply::toString);
      assertTrue(
          messages.stream().anyMatch(m -> m.type().equals("error") && m.parentId().equals(id)));
      assertTrue(messages.get(messages.size() - 2).status("idle"), messages::toString);
      client.until(m -> m.status("restarting"));
      assertEquals("False\n", client.printed("print('x' in globals())"));
    }
  }

  @Test
  void requestsThatWaitedBehindTheDeadlyOneAreAnsweredAndDoNotRun() {
    try (var client = server.connect(kernel, "s")) {
      client.run("import os, time");
      client.execute("time.sleep(0.5); os._exit(7)");
      var waiting = client.execute("open('ran', 'w')");
      var messages =
          client.until(m -> m.type().equals("execute_reply") && m.parentId().equals(waiting));
      assertTrue(
          messages.getLast().content().path("evalue").asString().contains("exit"),
          messages::toString);
      assertEquals("False\n", client.printed("import os; print(os.path.exists('ran'))"));
    }
  }

  @Test
  void whatADyingKernelPrintedLastIsHeardOnce() {
    try (var client = server.connect(kernel, "s")) {
      for (int i = 0; i < 4; i++) {
        var id = client.execute("import os; print('last words', flush=True); os._exit(1)");
        var messages =
            client.until(m -> m.type().equals("execute_reply") && m.parentId().equals(id));
        var mine = messages.stream().filter(m -> m.parentId().equals(id)).toList();
        assertEquals("last words\n", Client.printed(mine), mine::toString);
      }
    }
  }

  @Test
  void allClientsOfADeadKernelGoOn() {
    try (var one = server.connect(kernel, "one");
        var two = server.connect(kernel, "two")) {
      one.run("import os");
      two.run("pass");
      one.execute("os._exit(1)");
      one.until(m -> m.status("restarting"));
      two.until(m -> m.status("restarting"));
      assertEquals("1\n", one.printed("print(1)"));
      assertEquals("2\n", two.printed("print(2)"));
    }
  }

  @Test
  void aDeadKernelWhoseChildrenHoldItsSocketsIsNoticed() {
    try (var client = server.connect(kernel, "s")) {
      var id =
          client.execute(
              """
              import os, time
              if os.fork() == 0:
                  time.sleep(3600)
              else:
                  os._exit(3)
              """);
      var messages = client.until(m -> m.type().equals("execute_reply") && m.parentId().equals(id));
      assertEquals("KernelDied", messages.getLast().content().path("ename").asString());
      assertEquals("1\n", client.printed("print(1)"));
    }
  }

  @Test
  void aRestartThroughRestAnswersWhatRanAndTheClientGoesOn() {
    try (var client = server.connect(kernel, "s")) {
      client.run("x = 1");
      var id = client.execute("print('begun', flush=True)\nwhile True: pass");
      client.until(m -> m.type().equals("stream"));
      var answer = server.post("/api/kernels/" + kernel + "/restart", "");
      assertEquals(200, answer.status());
      assertEquals(kernel, answer.body().path("id").asString());
      var messages = client.until(m -> m.type().equals("execute_reply") && m.parentId().equals(id));
      assertEquals("KernelRestarted", messages.getLast().content().path("ename").asString());
      client.until(m -> m.status("starting"));
      assertEquals("False\n", client.printed("print('x' in globals())"));
    }
  }

  @Test
  void aRestartByOtherMeansIsAnnounced() {
    try (var client = server.connect(kernel, "s")) {
      client.run("x = 1");
      server.core.restart(KernelIds.plain(kernel));
      client.until(m -> m.status("restarting"));
      client.until(m -> m.status("idle"));
      assertEquals("False\n", client.printed("print('x' in globals())"));
    }
  }

  @Test
  void aDestroyedKernelIsSaidToBeDeadAndTheWebSocketIsClosed() {
    try (var client = server.connect(kernel, "s")) {
      var id = client.execute("print('begun', flush=True)\nwhile True: pass");
      client.until(m -> m.type().equals("stream"));
      assertEquals(204, server.delete("/api/kernels/" + kernel).status());
      var messages = client.until(m -> m.status("dead"));
      assertEquals(
          List.of("KernelDestroyed"),
          messages.stream()
              .filter(m -> m.type().equals("execute_reply") && m.parentId().equals(id))
              .map(m -> m.content().path("ename").asString())
              .toList());
      assertEquals("1000 the kernel was destroyed", client.closed.join());
      assertEquals(404, server.get("/api/kernels/" + kernel).status());
    }
  }

  @Test
  void anIdleKernelThatIsDestroyedDoesNotComeBack() {
    try (var client = server.connect(kernel, "s")) {
      client.run("pass");
      server.delete("/api/kernels/" + kernel);
      assertEquals("1000 the kernel was destroyed", client.closed.join());
    }
    assertEquals(0, server.get("/api/kernels").body().size());
  }

  @Test
  void aKernelThatDiesAgainAndAgainIsGivenUpUntilSomebodyRestartsIt() {
    try (var client = server.connect(kernel, "s")) {
      for (int i = 0; i < 5; i++) {
        client.run("import os; os._exit(1)");
      }
      client.until(m -> m.status("dead"));
      var reply = client.run("1").getLast().content();
      assertEquals("error", reply.path("status").asString());
      assertEquals(200, server.post("/api/kernels/" + kernel + "/restart", "").status());
      client.until(m -> m.status("idle") && m.parentId().isEmpty());
      assertEquals("1\n", client.printed("print(1)"));
    }
  }

  @Test
  void aClientThatComesToADeadKernelFindsItStarted() {
    try (var client = server.connect(kernel, "s")) {
      client.run("pass");
    }
    server
        .core
        .find(KernelIds.plain(kernel))
        .flatMap(k -> k.process())
        .ifPresent(
            process -> ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly));
    try (var client = server.connect(kernel, "other")) {
      assertEquals("1\n", client.printed("print(1)"));
    }
  }
}
