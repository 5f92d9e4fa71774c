package husk.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.spi.CommandEnd;
import husk.spi.CommandEvent;
import husk.spi.CommandSpec;
import husk.spi.FileEntry;
import husk.spi.Sandbox;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Commands, streams, files and the end: what a sandbox does whoever made it.
@ExtendWith(LeakDetector.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class SandboxContract {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Sandbox sandbox;

  /// A running sandbox of the kind under test.
  protected abstract Sandbox open() throws Exception;

  /// A folder inside that can be written to.
  protected abstract String folder();

  /// Ends everything that [#open] made.
  protected abstract void closeAll() throws Exception;

  @BeforeEach
  void start() throws Exception {
    sandbox = open();
  }

  @AfterEach
  void end() throws Exception {
    closeAll();
  }

  protected Sandbox sandbox() {
    return sandbox;
  }

  // Commands

  @Test
  void streamsStayApart() throws IOException {
    var ran = Ran.script(sandbox, "echo out; echo err >&2");
    assertThat(ran.out()).isEqualTo("out\n");
    assertThat(ran.err()).isEqualTo("err\n");
    assertThat(ran.code()).isZero();
    assertThat(ran.end().reason()).isEqualTo(CommandEnd.Reason.EXITED);
  }

  @Test
  void wordsArriveAsTheyWereGiven() throws IOException {
    var words = List.of("a b", "", "'\"$HOME`id`", "line\nbreak", "-n", "ü🦀");
    var argv = new java.util.ArrayList<>(List.of("/usr/bin/printf", "<%s>"));
    argv.addAll(words);
    assertThat(Ran.in(sandbox, CommandSpec.of(argv)).out())
        .isEqualTo("<" + String.join("><", words) + ">");
  }

  @Test
  void exitCodesPassThrough() throws IOException {
    assertThat(Ran.script(sandbox, "exit 7").code()).isEqualTo(7);
    assertThat(Ran.script(sandbox, "exit 255").code()).isEqualTo(255);
  }

  @Test
  void signalThatEndsACommandIsTold() throws IOException {
    var ran = Ran.script(sandbox, "kill -TERM $$");
    assertThat(ran.end().signal()).contains(15);
    assertThat(ran.code()).isEqualTo(143);
    assertThat(ran.end().reason()).isEqualTo(CommandEnd.Reason.SIGNALLED);
  }

  @Test
  void missingProgramIsNotFound() {
    assertThatThrownBy(() -> Ran.in(sandbox, "no-such-program"))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> assertThat(problem.code()).isEqualTo(Problem.Code.NOT_FOUND_INSIDE));
  }

  @Test
  void fileThatIsNoProgramIsNotExecutable() {
    assertThatThrownBy(() -> Ran.in(sandbox, "/etc/passwd"))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> assertThat(problem.code()).isEqualTo(Problem.Code.NOT_EXECUTABLE));
  }

  @Test
  void directoryThatIsMissingIsRefused() {
    assertThatThrownBy(() -> Ran.in(sandbox, CommandSpec.of("true").in("/no/such/folder")))
        .isInstanceOf(Problem.class);
  }

  @Test
  void variablesAndDirectoryAreThoseAskedFor() throws IOException {
    var spec =
        CommandSpec.of("/bin/sh", "-c", "echo \"$A\"; pwd").withEnv(Map.of("A", "x=y z")).in("/");
    assertThat(Ran.in(sandbox, spec).out()).isEqualTo("x=y z\n/\n");
  }

  @Test
  void commandWithoutInputReadsNothing() throws IOException {
    assertThat(Ran.in(sandbox, "cat").out()).isEmpty();
  }

  @Test
  void inputArrivesWholeAndEnds() throws IOException {
    try (var command = sandbox.run(CommandSpec.of("wc", "-c").withInput())) {
      var piece = new byte[100_000];
      for (int i = 0; i < 30; i++) {
        command.input(piece, 0, piece.length);
      }
      command.endInput();
      assertThat(Ran.toTheEnd(command).said()).isEqualTo("3000000");
    }
  }

  @Test
  void largeOutputArrivesWhole() throws IOException {
    try (var command = sandbox.run(CommandSpec.of("head", "-c", "20000000", "/dev/zero"))) {
      assertThat(bytes(command)).isEqualTo(20_000_000);
    }
  }

  private static long bytes(husk.spi.RunningCommand command) throws IOException {
    long count = 0;
    while (command.next() instanceof CommandEvent.Output piece) {
      count += piece.bytes().length;
    }
    return count;
  }

  @Test
  void signalReachesTheCommand() throws IOException {
    try (var command =
        sandbox.run(
            CommandSpec.of(
                "/bin/sh",
                "-c",
                "trap 'echo caught; exit 3' INT; echo ready; while :; do sleep 0.05; done"))) {
      assertThat(command.next()).isInstanceOf(CommandEvent.Output.class);
      command.signal(2);
      var ran = Ran.toTheEnd(command);
      assertThat(ran.out()).isEqualTo("caught\n");
      assertThat(ran.code()).isEqualTo(3);
    }
  }

  @Test
  void lateCommandIsEndedWithAllItStarted() throws IOException {
    var spec =
        CommandSpec.of("/bin/sh", "-c", "echo began; sleep 1000 & setsid sleep 1001 & wait")
            .within(300);
    var ran = Ran.in(sandbox, spec);
    assertThat(ran.out()).isEqualTo("began\n");
    assertThat(ran.end().reason()).isEqualTo(CommandEnd.Reason.TIMEOUT);
    assertThat(ran.code()).isEqualTo(124);
    assertNothingRuns("sleep 100");
  }

  @Test
  void commandEndsWithTheLineOfWhoeverAskedForIt() throws IOException {
    var command = sandbox.run(CommandSpec.of("/bin/sh", "-c", "sleep 1002 & sleep 1003"));
    command.close();
    assertNothingRuns("sleep 100");
  }

  private void assertNothingRuns(String pattern) {
    Eventually.until(
        PATIENCE, () -> running(pattern).isEmpty(), () -> "still there: " + running(pattern));
  }

  private String running(String pattern) {
    try {
      return Ran.script(
              sandbox,
              "for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $f 2>/dev/null; echo; done"
                  + " | grep '^"
                  + pattern
                  + "' || true")
          .said();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void terminalIsOneAndKnowsItsSize() throws IOException {
    var spec =
        CommandSpec.of("/bin/sh", "-c", "test -t 0 && test -t 1 && stty size")
            .on(new CommandSpec.Window(31, 97));
    assertThat(Ran.in(sandbox, spec).said()).isEqualTo("31 97");
  }

  @Test
  void detachedCommandGoesOnAndIsFoundAgain() throws IOException {
    var spec =
        CommandSpec.of("/bin/sh", "-c", "echo one; sleep 0.3; echo two; exit 5").detachedOnce();
    String id;
    try (var command = sandbox.run(spec)) {
      id = command.id();
    }
    try (var line = sandbox.attach(id, Optional.empty(), false)) {
      var ran = Ran.toTheEnd(line);
      assertThat(ran.out()).isEqualTo("one\ntwo\n");
      assertThat(ran.code()).isEqualTo(5);
    }
    assertThat(sandbox.commands()).anySatisfy(info -> assertThat(info.id()).isEqualTo(id));
  }

  @Test
  void detachedCommandCanBeKilled() throws IOException {
    String id;
    try (var command = sandbox.run(CommandSpec.of("sleep", "1004").detachedOnce())) {
      id = command.id();
    }
    sandbox.kill(id, 9);
    try (var line = sandbox.attach(id, Optional.empty(), false)) {
      assertThat(Ran.toTheEnd(line).end().signal()).contains(9);
    }
  }

  @Test
  void manyCommandsRunAtOnce() throws Exception {
    var threads = new java.util.ArrayList<Thread>();
    var failures = new java.util.concurrent.ConcurrentLinkedQueue<Throwable>();
    for (int i = 0; i < 20; i++) {
      var word = "word" + i;
      threads.add(
          Thread.startVirtualThread(
              () -> {
                try {
                  assertThat(Ran.in(sandbox, "echo", word).said()).isEqualTo(word);
                } catch (IOException | AssertionError e) {
                  failures.add(e);
                }
              }));
    }
    for (var thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  // Files

  @Test
  void folderIsEmptiedButForWhatIsToStay() throws IOException {
    var files = sandbox.files();
    files.makeDirectory(folder() + "/all/deep/er", true);
    files.makeDirectory(folder() + "/all/stays/too", true);
    files.emptyBut(folder() + "/all", List.of("stays"));
    assertThat(files.list(folder() + "/all")).extracting(FileEntry::name).containsExactly("stays");
    assertThat(files.list(folder() + "/all/stays")).hasSize(1);
    files.remove(folder() + "/all", true);
  }

  @Test
  void filesAreWrittenReadListedMovedAndRemoved() throws IOException {
    var files = sandbox.files();
    var path = folder() + "/a/ü b.txt";
    files.makeDirectory(folder() + "/a", true);
    files.write(path, 0640, new ByteArrayInputStream("text\n".getBytes(StandardCharsets.UTF_8)));
    try (var in = files.read(path)) {
      assertThat(in.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("text\n");
    }
    assertThat(files.stat(path).mode() & 0777).isEqualTo(0640);
    assertThat(files.list(folder() + "/a"))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.name()).isEqualTo("ü b.txt");
              assertThat(entry.kind()).isEqualTo(FileEntry.Kind.FILE);
              assertThat(entry.size()).isEqualTo(5);
            });
    files.move(path, folder() + "/b");
    assertThatThrownBy(() -> files.stat(path)).isInstanceOf(Problem.class);
    files.remove(folder() + "/b", false);
    files.remove(folder() + "/a", true);
    assertThatThrownBy(() -> files.list(folder() + "/a")).isInstanceOf(Problem.class);
  }

  @Test
  void fileThatIsMissingIsNotFound() {
    assertThatThrownBy(() -> sandbox.files().read(folder() + "/none").close())
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> assertThat(problem.code()).isEqualTo(Problem.Code.NOT_FOUND_INSIDE));
  }

  @Test
  void relativePathsAreRefused() {
    assertThatThrownBy(() -> sandbox.files().stat("here")).isInstanceOf(Problem.class);
  }

  @Test
  void largeFilesPassInConstantMemory() throws IOException {
    var files = sandbox.files();
    long size = 300L << 20;
    files.write(folder() + "/large", 0644, new Zeros(size));
    assertThat(files.stat(folder() + "/large").size()).isEqualTo(size);
    try (var in = files.read(folder() + "/large")) {
      assertThat(in.transferTo(OutputStream.nullOutputStream())).isEqualTo(size);
    }
    files.remove(folder() + "/large", false);
  }

  /// So many zeros, none of which is kept.
  private static final class Zeros extends InputStream {
    private long left;

    Zeros(long count) {
      this.left = count;
    }

    @Override
    public int read() {
      return left-- > 0 ? 0 : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (left <= 0) {
        return -1;
      }
      int count = (int) Math.min(left, length);
      left -= count;
      return count;
    }
  }

  /// What a lost network connection looks like.
  private static final class Broken extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("on purpose");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      throw new IOException("on purpose");
    }
  }

  @Test
  void writeThatBreaksOffLeavesTheOldFile() throws IOException {
    var files = sandbox.files();
    var path = folder() + "/kept";
    files.write(path, 0644, new ByteArrayInputStream(new byte[] {'o', 'l', 'd'}));
    var broken = new SequenceInputStream(new ByteArrayInputStream(new byte[100_000]), new Broken());
    assertThatThrownBy(() -> files.write(path, 0644, broken)).isInstanceOf(IOException.class);
    try (var in = files.read(path)) {
      assertThat(in.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("old");
    }
  }

  @Test
  void foldersPassAsTar() throws IOException {
    Ran.script(sandbox, "mkdir -p " + folder() + "/t/in; echo 1 > " + folder() + "/t/in/f");
    var tar = new ByteArrayOutputStream();
    sandbox.files().pack(folder() + "/t", tar);
    sandbox.files().makeDirectory(folder() + "/u", true);
    sandbox.files().unpack(folder() + "/u", new ByteArrayInputStream(tar.toByteArray()));
    assertThat(Ran.in(sandbox, "cat", folder() + "/u/in/f").said()).isEqualTo("1");
  }

  // The rest

  @Test
  void portInsideIsReached() throws Exception {
    try (var server =
        sandbox.run(
            CommandSpec.of(
                "python3",
                "-c",
                """
                import socket
                s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True)
                c, _ = s.accept(); c.sendall(c.recv(100).upper()); c.close()
                """))) {
      var port = Integer.parseInt(text(server.next()).strip());
      try (var line = sandbox.forward(port)) {
        line.output().write("hello".getBytes(StandardCharsets.UTF_8));
        assertThat(line.input().readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("HELLO");
      }
    }
  }

  private static String text(CommandEvent event) {
    return event instanceof CommandEvent.Output piece
        ? new String(piece.bytes(), StandardCharsets.UTF_8)
        : "";
  }

  @Test
  void useIsTold() throws IOException {
    try (var _ = sandbox.run(CommandSpec.of("sleep", "1007"))) {
      assertThat(sandbox.usage().processes()).isPositive();
    }
  }

  @Test
  void endLeavesNothingRunning() throws IOException {
    try (var command =
        sandbox.run(CommandSpec.of("/bin/sh", "-c", "setsid sleep 1005 & echo up; sleep 1006"))) {
      command.next();
      sandbox.end();
      assertThat(sandbox.alive()).isFalse();
      assertThat(Ran.toTheEnd(command).end().reason())
          .isIn(
              CommandEnd.Reason.SANDBOX_ENDED,
              CommandEnd.Reason.KILLED,
              CommandEnd.Reason.SIGNALLED);
    }
    sandbox.end();
  }
}
