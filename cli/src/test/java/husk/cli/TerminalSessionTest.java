package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.testkit.TestPython;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Signals and terminals, with the command as a process of its own.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TerminalSessionTest {
  private final List<Process> started = new CopyOnWriteArrayList<>();
  private AgentHouse house;

  @BeforeEach
  void open() throws IOException {
    house = new AgentHouse();
  }

  @AfterEach
  void close() throws IOException {
    started.forEach(Process::destroyForcibly);
    house.close();
  }

  private static List<String> command(String... words) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "husk.cli.Main"));
    command.addAll(List.of(words));
    return command;
  }

  private Process start(List<String> command) throws IOException {
    var builder = new ProcessBuilder(command).directory(house.calls.temp.path().toFile());
    builder.environment().putAll(house.calls.environment);
    var process = builder.start();
    started.add(process);
    return process;
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static void signal(String name, Process process) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }

  @Test
  void signalsGoToTheCommand() throws Exception {
    for (String name : new String[] {"INT", "TERM", "HUP"}) {
      var process =
          start(
              command(
                  "exec",
                  "box",
                  "sh",
                  "-c",
                  "trap 'echo got; exit 5' " + name + "; echo ready; while :; do sleep 0.1; done"));
      var out = reader(process);
      assertThat(out.readLine()).isEqualTo("ready");
      signal(name, process);
      assertThat(out.readLine()).as(name).isEqualTo("got");
      assertThat(process.waitFor()).as(name).isEqualTo(5);
    }
  }

  @Test
  void theSecondInterruptKills() throws Exception {
    var process =
        start(
            command(
                "run", "sh", "-c", "trap 'echo no' INT; echo ready; while :; do sleep 0.1; done"));
    var out = reader(process);
    assertThat(out.readLine()).isEqualTo("ready");
    signal("INT", process);
    assertThat(out.readLine()).isEqualTo("no");
    signal("INT", process);
    assertThat(process.waitFor()).isEqualTo(137);
    assertThat(house.daemon.requests.getLast()).startsWith("DELETE /sandboxes/box");
  }

  @Test
  void signalsArriveAlsoWhenInputIsStuck() throws Exception {
    var process =
        start(command("exec", "box", "sh", "-c", "echo ready; while :; do sleep 0.1; done"));
    var feeding =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (var in = process.getOutputStream()) {
                    while (true) {
                      in.write(new byte[65536]);
                    }
                  } catch (IOException _) {
                    // It has ended.
                  }
                });
    assertThat(reader(process).readLine()).isEqualTo("ready");
    signal("TERM", process);
    assertThat(process.waitFor()).isEqualTo(143);
    feeding.join();
  }

  @Test
  void killedFromOutsideItTakesTheCommandAlong() throws Exception {
    var process =
        start(command("exec", "box", "sh", "-c", "echo $$ > pid; while :; do sleep 0.1; done"));
    var file = house.workspace.resolve("pid");
    Eventually.until(
        Duration.ofSeconds(30),
        () -> Files.exists(file) && !read(file).isBlank(),
        () -> "the command does not begin");
    long pid = Long.parseLong(read(file).strip());
    process.destroyForcibly().waitFor();
    Eventually.until(
        Duration.ofSeconds(30),
        () -> ProcessHandle.of(pid).isEmpty(),
        () -> "the command lives on");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /// A person at a terminal: types, resizes the window, and looks at the terminal afterwards.
  private static final String PERSON =
      """
      import fcntl, os, pty, re, select, signal, struct, sys, termios
      pid, master = pty.fork()
      if pid == 0:
          os.execv(sys.argv[1], sys.argv[1:])
      fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 101, 0, 0))
      before = termios.tcgetattr(master)
      seen = b""
      def until(pattern):
          global seen
          while not re.search(pattern, seen):
              if not select.select([master], [], [], 30)[0]:
                  sys.exit("waited for %r, saw %r" % (pattern, seen))
              try:
                  piece = os.read(master, 65536)
              except OSError:
                  piece = b""
              if not piece:
                  sys.exit("ended before %r, saw %r" % (pattern, seen))
              seen += piece
          seen = seen[re.search(pattern, seen).end():]
      def type(text):
          os.write(master, text)
      until(rb"[$#] ")
      type(b"stty size; echo a''b\\r")
      until(rb"33 101\\r\\nab")
      fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 44, 55, 0, 0))
      type(b"until stty size | grep '44 55'; do sleep 0.1; done; echo c''d\\r")
      until(rb"cd\\r\\n[$#] ")
      # What answers is running, and has the terminal.
      type(b"cat\\r")
      until(rb"cat\\r\\n")
      type(b"hello\\r")
      until(rb"hello\\r\\nhello\\r\\n")
      type(b"\\x03")
      until(rb"[$#] ")
      type(b"exit 12\\r")
      while True:
          try:
              if not os.read(master, 65536): break
          except OSError:
              break
      status = os.waitpid(pid, 0)[1]
      after = termios.tcgetattr(master)
      assert before[:4] == after[:4], (before, after)
      sys.exit(os.waitstatus_to_exitcode(status))
      """;

  @Test
  void aPersonsTerminalWorksAndIsLeftAsItWas() throws Exception {
    var script = Files.writeString(house.calls.temp.resolve("person.py"), PERSON);
    var call = new ArrayList<>(List.of(TestPython.find().toString(), script.toString()));
    call.addAll(command("attach", "box", "-e", "PS1=$ ", "--", "sh"));
    var process = start(call);
    process.getOutputStream().close();
    var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(err).isEqualTo(12);
  }
}
