package husk.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
@Timeout(90)
final class DaemonDoorTest {
  /// Listens where the daemon would, and notes each start and what it inherited.
  private static final String DAEMON =
      """
      #!/usr/bin/env python3
      import os, socket
      run = os.environ["HUSK_RUNTIME_DIR"]
      with open(run + "/starts", "a") as f:
          f.write(f"{os.getpid()}\\n")
      with open(run + "/environment", "w") as f:
          f.write("\\n".join(sorted(os.environ)) + f"\\nsid {os.getsid(0) == os.getpid()}")
      print("the daemon is here", flush=True)
      s = socket.socket(socket.AF_UNIX)
      path = run + "/daemon.sock"
      if os.path.exists(path):
          os.unlink(path)
      s.bind(path)
      s.listen(4)
      while True:
          c, _ = s.accept()
          c.close()
      """;

  private TempHome temp;
  private Map<String, String> environment;

  @BeforeEach
  void makeFolders() throws IOException {
    temp = TempHome.create();
    environment = new HashMap<>();
    environment.put("PATH", System.getenv("PATH"));
    environment.put("HOME", System.getenv("HOME"));
    environment.put("HUSK_HOME", temp.resolve("home").toString());
    environment.put("HUSK_RUNTIME_DIR", temp.resolve("run").toString());
    environment.put("HUSK_DIST", temp.resolve("dist").toString());
    environment.put("SECRET", "shh");
    environment.put(LeakDetector.VARIABLE, LeakDetector.marker());
  }

  @AfterEach
  void stopDaemons() throws IOException {
    var starts = temp.resolve("run/starts");
    if (Files.exists(starts)) {
      for (String pid : Files.readAllLines(starts)) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
    temp.close();
  }

  private DaemonDoor door() {
    return new DaemonDoor(Locations.of(environment), environment);
  }

  private Path install(String script) throws IOException {
    var bin = Files.createDirectories(temp.resolve("dist/bin"));
    var program = Files.writeString(bin.resolve("husk-daemon"), script);
    return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void fiftyCallersAtOnceStartOneDaemon() throws Exception {
    install(DAEMON);
    var answers = new ArrayList<Future<Boolean>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Boolean> call =
          () -> {
            try (var connection = door().connectOrStart()) {
              return connection.reusable();
            }
          };
      for (int i = 0; i < 50; i++) {
        answers.add(threads.submit(call));
      }
    }
    for (var answer : answers) {
      assertThat(answer.get()).isTrue();
    }
    assertThat(Files.readAllLines(temp.resolve("run/starts"))).hasSize(1);
  }

  @Test
  void theDaemonRunsInASessionOfItsOwnWithoutTheCallersSecrets() throws Exception {
    install(DAEMON);
    door().connectOrStart().close();
    var inherited = Files.readAllLines(temp.resolve("run/environment"));
    assertThat(inherited).contains("PATH", "HUSK_HOME", "sid True").doesNotContain("SECRET");
    assertThat(temp.resolve("run/daemon.log")).hasContent("the daemon is here");
  }

  @Test
  void aSocketLeftByADeadDaemonIsNoDaemon() throws Exception {
    install(DAEMON);
    door().locations().prepare();
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(door().locations().socket()));
    }
    assertThat(door().locations().socket()).exists();
    assertThat(door().connect()).isEmpty();
    door().connectOrStart().close();
    assertThat(door().connect()).isPresent().get().satisfies(UnixHttp::close);
  }

  @Test
  void askingWhetherOneRunsMakesNothing() throws Exception {
    assertThat(door().connect()).isEmpty();
    assertThat(temp.resolve("run")).doesNotExist();
    assertThat(temp.resolve("home")).doesNotExist();
  }

  @Test
  void aDaemonThatEndsAtItsStartIsReportedWithWhatItPrinted() throws Exception {
    install("#!/bin/sh\necho 'error: no such thing' >&2\nexit 3\n");
    assertThatThrownBy(() -> door().connectOrStart())
        .hasMessage("the daemon ended with code 3 at its start; it printed:\nerror: no such thing")
        .satisfies(
            e -> assertThat(((Problem) e).code()).isEqualTo(Problem.Code.DAEMON_UNAVAILABLE));
  }

  @Test
  void withoutAnInstallationTheRemedyIsNamed() {
    assertThatThrownBy(() -> door().connectOrStart())
        .hasMessageContaining("dist/bin/husk-daemon` is not a program");
    environment.remove("HUSK_DIST");
    assertThatThrownBy(() -> door().connectOrStart())
        .satisfies(
            e ->
                assertThat(((Problem) e).remedies())
                    .containsExactly(
                        "use the `husk` launcher, or set HUSK_DIST to the installation's folder"));
  }

  @Test
  void aKilledDaemonIsStartedAgain() throws Exception {
    install(DAEMON);
    door().connectOrStart().close();
    var first = Long.parseLong(Files.readAllLines(temp.resolve("run/starts")).getFirst());
    ProcessHandle.of(first).orElseThrow().destroyForcibly();
    Eventually.until(
        Duration.ofSeconds(10), () -> door().connect().isEmpty(), () -> "it still answers");
    door().connectOrStart().close();
    assertThat(Files.readAllLines(temp.resolve("run/starts"))).hasSize(2);
  }
}
