package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.TestPython;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `husk exec --preview` as a person uses it, who is asked.
final class PreviewTerminalTest extends SandboxTest {
  private static final String PERSON =
      """
      import os, pty, select, sys
      answer, *command = sys.argv[1:]
      pid, master = pty.fork()
      if pid == 0:
          os.execv(command[0], command)
      seen = b""
      while b"later >" not in seen:
          if not select.select([master], [], [], 120)[0]:
              sys.exit("was not asked, saw %r" % seen)
          seen += os.read(master, 65536)
      os.write(master, answer.encode() + b"\\n")
      try:
          while os.read(master, 65536): pass
      except OSError:
          pass
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """;

  @Test
  void aPersonIsAskedAndMayLeaveItOpen() throws Exception {
    write("person.py", PERSON);
    value("x = 1");

    preview("no", "x = 2");
    assertThat(value("x")).isEqualTo("1");
    preview("yes", "x = 3");
    assertThat(value("x")).isEqualTo("3");
    preview("", "x = 4");
    assertThat(husk.run("discard", "demo").exit()).isZero();
    assertThat(value("x")).isEqualTo("3");
  }

  private String value(String code) {
    return husk.run("exec", "--name", "demo", code).json().path("return_value").asString("");
  }

  private void preview(String answer, String code) throws Exception {
    var python = TestPython.find().toString();
    var command = HuskCommand.dist().resolve("bin/husk").toAbsolutePath().toString();
    var builder =
        new ProcessBuilder(
                List.of(
                    python,
                    "person.py",
                    answer,
                    command,
                    "exec",
                    "--name",
                    "demo",
                    "--preview",
                    code))
            .directory(husk.home.resolve("work").toFile());
    builder.environment().clear();
    builder.environment().putAll(husk.environment);
    var process = builder.start();
    var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(err).isZero();
  }
}
