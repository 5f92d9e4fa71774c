package husk;

import static husk.HuskFixture.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import husk.examples.InASandbox;
import husk.model.KernelOptions;
import husk.model.KernelPlace;
import husk.model.Problem;
import husk.spi.CommandEnd;
import husk.spi.CommandSpec;
import husk.spi.Profile;
import husk.spi.SandboxEvent;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What the library promises about sandboxes by name, however Husk is reached.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(LeakDetector.class)
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class SandboxesContract {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private SandboxFixture fixture;
  private Sandboxes sandboxes;

  abstract SandboxFixture open() throws IOException;

  @BeforeAll
  void openHusk() throws IOException {
    fixture = open();
    sandboxes = fixture.husk.sandboxes();
  }

  @AfterEach
  void clean() {
    fixture.clean();
  }

  @AfterAll
  void closeHusk() {
    fixture.close();
  }

  @Test
  void sandboxIsMadeAsItsOptionsSay() {
    var options =
        SandboxOptions.named("made")
            .profile("restrictive")
            .limit("memory_mb", 200)
            .env("COLOUR", "grün")
            .label("task", "eda")
            .description("for a test")
            .lifetime(Duration.ofHours(1));
    var info = sandboxes.create(options).info();
    assertThat(info.name()).isEqualTo("made");
    assertThat(info.running()).isTrue();
    assertThat(info.spec().profile()).isEqualTo(Profile.RESTRICTIVE);
    assertThat(info.spec().network()).isFalse();
    assertThat(info.spec().limits().memoryMb()).isEqualTo(200);
    assertThat(info.labels()).containsEntry("task", "eda");
    assertThat(info.description()).contains("for a test");
    assertThat(info.expiresAt()).isPresent();
    var said = sandboxes.get("made").exec("/bin/sh", "-c", "echo $COLOUR").stdout();
    assertThat(said).isEqualTo("grün\n");
  }

  @Test
  void whatCannotBeHeldIsRefusedAndNothingIsMade() {
    assertProblem(
        Problem.Code.INVALID_SETTING,
        () -> sandboxes.create(SandboxOptions.named("odd").profile("lenient")));
    assertProblem(
        Problem.Code.INVALID_REQUEST,
        () -> sandboxes.create(SandboxOptions.named("odd").network(false).allow("example.org")));
    assertThat(sandboxes.list()).isEmpty();
  }

  @Test
  void nameIsTakenOnce() {
    sandboxes.create("one");
    assertProblem(Problem.Code.SANDBOX_ALREADY_EXISTS, () -> sandboxes.create("one"));
  }

  @Test
  void unknownSandboxIsAProblemWithANameOfItsOwn() {
    assertProblem(Problem.Code.SANDBOX_NOT_FOUND, () -> sandboxes.get("nobody"));
    assertThat(sandboxes.find("nobody")).isEmpty();
    assertThat(sandboxes.find("")).isEmpty();
    assertThat(sandboxes.remove("nobody")).isFalse();
  }

  @Test
  void sandboxesAreListedByTheirLabels() {
    sandboxes.create(SandboxOptions.named("a").label("team", "x/y").stopped());
    sandboxes.create(SandboxOptions.named("b").label("team", "z").stopped());
    assertThat(sandboxes.list()).extracting(SandboxRecord::name).containsExactly("a", "b");
    assertThat(sandboxes.list(Map.of("team", "x/y")))
        .extracting(SandboxRecord::name)
        .containsExactly("a");
  }

  @Test
  void sandboxWithoutANameGoesWhenItIsClosed() {
    String name;
    try (var sandbox = sandboxes.create(SandboxOptions.unnamed())) {
      name = sandbox.name();
      assertThat(sandboxes.find(name)).isPresent();
    }
    assertThat(sandboxes.find(name)).isEmpty();
  }

  @Test
  void namedSandboxStaysWhenItIsClosed() {
    try (var sandbox = sandboxes.create(SandboxOptions.named("stays").stopped())) {
      assertThat(sandbox.info().status()).isEqualTo("created");
    }
    assertThat(sandboxes.find("stays")).isPresent();
  }

  @Test
  void stopKeepsTheFilesAndStartBringsThemBack() throws IOException {
    var sandbox = sandboxes.create("kept");
    sandbox.files().write("/workspace/f", 0600, new ByteArrayInputStream(new byte[] {'1'}));
    assertThat(sandbox.stop().running()).isFalse();
    assertProblem(Problem.Code.SANDBOX_NOT_RUNNING, () -> sandbox.exec("true"));
    assertThat(sandbox.start().running()).isTrue();
    assertThat(sandbox.exec("cat", "f").stdout()).isEqualTo("1");
  }

  @Test
  void inputLargerThanAnyBufferPassesThroughACommandThatEchoesIt() {
    var sandbox = sandboxes.create("echo");
    var text = "0123456789abcdef".repeat(300_000);
    var result = sandbox.exec(CommandSpec.of("cat"), text);
    assertThat(result.stdout().length()).isEqualTo(text.length());
    assertThat(result.ok()).isTrue();
  }

  @Test
  void inputNobodyReadsIsNoFailure() {
    var sandbox = sandboxes.create("deaf");
    var result = sandbox.exec(CommandSpec.of("true"), "x".repeat(5_000_000));
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void failureOfACommandIsAResult() {
    var sandbox = sandboxes.create("fails");
    var failed = sandbox.exec("/bin/sh", "-c", "echo out; echo err >&2; exit 7");
    assertThat(failed.exitCode()).isEqualTo(7);
    assertThat(failed.stdout()).isEqualTo("out\n");
    assertThat(failed.stderr()).isEqualTo("err\n");
    var late = sandbox.exec(CommandSpec.of("sleep", "1000").within(200));
    assertThat(late.end().reason()).isEqualTo(CommandEnd.Reason.TIMEOUT);
    assertThat(late.exitCode()).isEqualTo(124);
  }

  @Test
  void detachedCommandIsReadLaterAndKilled() {
    var sandbox = sandboxes.create("detached");
    var id = sandbox.detach(CommandSpec.of("/bin/sh", "-c", "echo begun; exec sleep 1000"));
    Eventually.until(
        PATIENCE, () -> sandbox.logs(id).stdout().equals("begun\n"), () -> "it says nothing");
    sandbox.kill(id, 9);
    Eventually.until(
        PATIENCE,
        () ->
            sandbox.commands().stream()
                .anyMatch(info -> info.id().equals(id) && info.end().isPresent()),
        () -> "it goes on: " + sandbox.commands());
  }

  @Test
  void listenerThatThrowsEndsTheCommand() {
    var sandbox = sandboxes.create("thrown");
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () ->
                sandbox.stream(
                    CommandSpec.of("/bin/sh", "-c", "echo x; exec sleep 1234"),
                    piece -> {
                      throw new IllegalStateException("enough");
                    }))
        .hasMessage("enough");
    Eventually.until(
        PATIENCE,
        () -> !sandbox.exec("/bin/sh", "-c", "cat /proc/[0-9]*/cmdline").stdout().contains("1234"),
        () -> "it goes on");
  }

  @Test
  void foldersAreCopiedInAndOut(@TempDir Path folder) throws IOException {
    var sandbox = sandboxes.create("copies");
    var source = Files.createDirectories(folder.resolve("source/deep"));
    Files.writeString(source.resolve("ü b"), "text");
    Files.setPosixFilePermissions(
        source.resolve("ü b"), PosixFilePermissions.fromString("rwxr-x---"));
    sandbox.copyIn(folder.resolve("source"), "/workspace/in");
    assertThat(sandbox.exec("cat", "in/deep/ü b").stdout()).isEqualTo("text");
    sandbox.copyOut("/workspace/in", folder.resolve("back"));
    assertThat(folder.resolve("back/deep/ü b")).hasContent("text");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("back/deep/ü b"))))
        .isEqualTo("rwxr-x---");
  }

  @Test
  void linkInsideIsNotFollowedOut(@TempDir Path folder) {
    var sandbox = sandboxes.create("links");
    sandbox.exec("/bin/sh", "-c", "mkdir d; ln -s /etc/passwd d/link");
    assertProblem(
        Problem.Code.INVALID_REQUEST, () -> sandbox.copyOut("/workspace/d", folder.resolve("out")));
    assertThat(folder.resolve("out/link")).doesNotExist();
  }

  @Test
  void whatHappensIsTold() {
    var sandbox = sandboxes.create("told");
    var first = sandbox.events(0, Duration.ZERO);
    assertThat(first.events()).extracting(SandboxEvent::type).contains("created", "started");
    sandbox.deny("example.org");
    var next = sandbox.events(first.next(), PATIENCE);
    assertThat(next.events()).extracting(SandboxEvent::type).containsExactly("policy_changed");
    assertThat(sandbox.info().spec().egress().deny()).containsExactly("example.org");
    assertThat(sandbox.allow("example.org").spec().egress().deny()).isEmpty();
    assertThat(sandbox.forget("example.org").spec().egress().allow()).isEmpty();
  }

  @Test
  void labelsDescriptionAndLifeAreChanged() {
    var sandbox = sandboxes.create(SandboxOptions.named("changed").label("a", "1").stopped());
    assertThat(sandbox.label(Map.of("b", "2")).labels()).isEqualTo(Map.of("b", "2"));
    assertThat(sandbox.describe("new").description()).contains("new");
    assertThat(sandbox.extend(Duration.ofMinutes(5)).expiresAt()).isPresent();
  }

  @Test
  void publishedPortIsReachedFromTheHost() throws IOException {
    var sandbox = sandboxes.create(SandboxOptions.named("port").publish(0, 8123));
    var server =
        "import socket; s = socket.create_server(('127.0.0.1', 8123));"
            + " print('up', flush=True); c, _ = s.accept(); c.sendall(b'hello'); c.close()";
    try (var command = sandbox.begin(CommandSpec.of("python3", "-c", server))) {
      command.next();
      int port = sandbox.info().ports().getFirst().host();
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .isEqualTo("hello");
      }
    }
  }

  @Test
  void kernelSharesASandboxByItsName() {
    var sandbox = sandboxes.create("shared");
    sandbox.exec("/bin/sh", "-c", "echo from a command > note");
    var place = new KernelPlace(Optional.empty(), Optional.of("shared"), Optional.empty());
    fixture.husk.create("tenant", KernelOptions.NONE.at(place));
    try {
      assertThat(fixture.husk.execute("tenant", "open('/workspace/note').read()").returnValue())
          .contains("'from a command\\n'");
    } finally {
      fixture.husk.destroy("tenant");
    }
  }

  @Test
  void examplesPrintWhatTheySay() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    InASandbox.run(fixture.husk, out);
    InASandbox.restricted(fixture.husk, out);
    try (var sandbox = sandboxes.create(SandboxOptions.unnamed())) {
      InASandbox.streamed(sandbox, out);
      InASandbox.talking(sandbox, out);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("0 42\nkept\n128\nstep 1\nstep 2\nstep 3\n3\n42\n");
  }
}
