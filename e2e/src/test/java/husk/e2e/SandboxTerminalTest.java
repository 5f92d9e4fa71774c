package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.TestPython;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/// `husk attach` as a person uses it, recorded and replayed.
final class SandboxTerminalTest extends SandboxTest {
  private static final String PERSON =
      """
      import os, pty, re, select, sys, termios
      pid, master = pty.fork()
      if pid == 0:
          os.execv(sys.argv[1], sys.argv[1:])
      before = termios.tcgetattr(master)
      seen = b""
      def until(pattern):
          global seen
          while not re.search(pattern, seen):
              if not select.select([master], [], [], 120)[0]:
                  sys.exit("waited for %r, saw %r" % (pattern, seen))
              try:
                  seen += os.read(master, 65536)
              except OSError:
                  sys.exit("ended before %r, saw %r" % (pattern, seen))
      until(rb"[$#] ")
      os.write(master, b"test -t 0 && printf '\\\\033[1mb''old\\\\303\\\\251\\\\n'\\r")
      until("boldé".encode())
      os.write(master, b"exit 12\\r")
      try:
          while os.read(master, 65536): pass
      except OSError:
          pass
      status = os.waitpid(pid, 0)[1]
      assert termios.tcgetattr(master)[:4] == before[:4], "the terminal is not as it was"
      sys.exit(os.waitstatus_to_exitcode(status))
      """;

  @Test
  void aSessionCanBeRecordedAndReplayed() throws Exception {
    create("box");
    write("person.py", PERSON);
    var command = new ArrayList<>(List.of(TestPython.find().toString(), "person.py"));
    command.add(HuskCommand.dist().resolve("bin/husk").toAbsolutePath().toString());
    command.addAll(List.of("attach", "box", "--record", "session.cast"));
    var builder = new ProcessBuilder(command).directory(husk.home.resolve("work").toFile());
    builder.environment().clear();
    builder.environment().putAll(husk.environment);
    var process = builder.start();
    var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(err).isEqualTo(12);
    var lines = Files.readAllLines(work("session.cast"));
    for (var line : lines) {
      new JsonMapper().readTree(line);
    }
    assertThat(out("replay", "session.cast", "--max-idle", "0")).contains("\u001b[1mboldé");
  }
}
