package husk.backends.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Ids;
import husk.model.Problem;
import husk.spi.Profile;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Who owns one process of a family can stop whatever builds its relatives.
@ExtendWith(LeakDetector.class)
@Timeout(60)
class LauncherTest {
  private static final SandboxSpec SPEC = SandboxSpec.of("bubblewrap", Profile.MODERATE);

  /// It listens, as the launcher does before anything else, and then nothing happens any more.
  private static final String STOPPED =
      """
      #!/usr/bin/env python3
      import socket, sys, time
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[sys.argv.index("--socket") + 1])
      listener.listen()
      time.sleep(50)
      """;

  private TempHome home;

  @BeforeEach
  void make() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void remove() throws IOException {
    home.close();
  }

  private Launcher launcher(String program, Duration patience) throws IOException {
    var id = Ids.fresh();
    var agent = Files.writeString(home.resolve(id), program);
    Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
    Path folder = Files.createDirectory(home.resolve("f" + id.substring(0, 8)));
    var place = new SandboxPlace(id, folder, folder, agent);
    return new Launcher(place, List.of(), List.of("program"), patience);
  }

  private static Problem explained(String said) {
    return new Problem(Problem.Code.SANDBOX_FAILED, "it did not start: " + said);
  }

  @Test
  void nobodyWaitsForeverForAnAgentThatWasStopped() throws Exception {
    var launcher = launcher(STOPPED, Duration.ofMillis(100));
    assertThatThrownBy(() -> launcher.start(SPEC, LauncherTest::explained))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("did not start");
  }

  @Test
  void thoseThatWereStoppedKeepNobodyElse() throws Exception {
    int atOnce = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
    try (var aside = Executors.newVirtualThreadPerTaskExecutor()) {
      var stopped =
          IntStream.range(0, atOnce)
              .mapToObj(_ -> CompletableFuture.runAsync(() -> failing(STOPPED), aside))
              .toList();
      assertThat(Waiting.until(Duration.ofSeconds(30), () -> listening() == atOnce)).isTrue();
      failing("#!/bin/sh\nexit 1\n");
      assertThat(stopped).noneMatch(CompletableFuture::isDone);
      aside.shutdownNow();
    }
  }

  private long listening() {
    try (var found = Files.walk(home.resolve(""))) {
      return found.filter(path -> path.endsWith("agent.sock")).count();
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  private void failing(String program) {
    try {
      var launcher = launcher(program, Duration.ofSeconds(40));
      assertThatThrownBy(() -> launcher.start(SPEC, LauncherTest::explained))
          .isInstanceOf(Problem.class);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
