package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.testkit.TestPython;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A project's file that would open walls, written from inside a sandbox and by other means.
@ExtendWith(LeakDetector.class)
final class TrustTest {
  private static final int REFUSED = 6;
  private static final String WHERE = "import os; os.path.exists('/usr/lib/os-release')";

  /// Answers once it is asked; prints what it was shown.
  private static final String PERSON =
      """
      import os, pty, select, sys
      answer, *command = sys.argv[1:]
      pid, master = pty.fork()
      if pid == 0:
          os.execv(command[0], command)
      seen = b""
      while b"no >" not in seen:
          if not select.select([master], [], [], 120)[0]:
              sys.exit("was not asked, saw %r" % seen)
          seen += os.read(master, 65536)
      os.write(master, answer.encode() + b"\\n")
      try:
          while os.read(master, 65536): pass
      except OSError:
          pass
      print(seen.decode())
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """;

  private final HuskCommand husk = new HuskCommand();
  private Path file;

  @BeforeEach
  void asUsual() {
    husk.environment.remove("HUSK_BACKEND");
    file = husk.home.resolve("work/husk.toml");
  }

  @AfterEach
  void close() {
    husk.close();
  }

  @Test
  void codeInASandboxCannotHaveTheNextKernelRunOutside() throws IOException {
    var attack =
        "echo 'backend = \"host\"' > husk.toml || echo 'backend = \"host\"' > agentkernel.toml";
    var tried = husk.run("run", "--dir", ".", "--", "sh", "-c", attack);
    assertThat(tried.exit()).isNotZero();
    assertThat(file).doesNotExist();
    assertThat(file.resolveSibling("agentkernel.toml")).doesNotExist();
    assertThat(husk.run("run", "--dir", ".", "--", "sh", "-c", "echo x > other").exit()).isZero();
    assertThat(file.resolveSibling("other")).hasContent("x\n");
  }

  @Test
  void fileWrittenByOtherMeansIsRefusedUntilItsContentIsTrusted() throws IOException {
    Files.writeString(file, "backend = \"host\"\n");
    var refused = husk.run("exec", "--name", "k", "1");
    assertThat(refused.exit()).isEqualTo(REFUSED);
    assertThat(refused.errorJson().path("code").asString()).isEqualTo("project_not_trusted");
    assertThat(refused.err()).contains("`backend = host`").contains("husk trust " + file);
    assertThat(husk.run("list").json().path("kernels")).isEmpty();

    var unasked = husk.run("trust");
    assertThat(unasked.exit()).isEqualTo(REFUSED);
    assertThat(unasked.err()).contains("backend = host").contains("--yes");
    assertThat(husk.run("exec", "--name", "k", "1").exit()).isEqualTo(REFUSED);

    assertThat(husk.run("trust", "--yes").exit()).isZero();
    var made = husk.run("create", "--name", "k");
    assertThat(made.json().path("backend").asString()).isEqualTo("host");
    assertThat(husk.run("exec", "--name", "k", WHERE).exit()).isZero();

    Files.writeString(file, "backend = \"host\"\npython = \"/tmp/evil\"\n");
    assertThat(husk.run("exec", "--name", "k", "1").exit()).isEqualTo(REFUSED);
    var shown = husk.run("trust");
    assertThat(shown.err()).contains("changed since it was trusted").contains("+ python = ");
  }

  @Test
  void personIsShownWhatItOpensWithoutTricksOfItsOwnAndDecides() throws Exception {
    Files.writeString(file, "startup-code = \"x = '\\u001b[2J\\u202e'\"\n");
    var shown = person("n", REFUSED);
    assertThat(shown).contains("startup-code").doesNotContain("\u001b[2J").doesNotContain("\u202e");
    assertThat(husk.run("create", "--name", "k").exit()).isEqualTo(REFUSED);
    person("y", 0);
    assertThat(husk.run("create", "--name", "k").exit()).isZero();
  }

  private String person(String answer, int exit) throws Exception {
    var script = Files.writeString(husk.home.resolve("person.py"), PERSON).toString();
    var python = TestPython.find().toString();
    var command = HuskCommand.dist().resolve("bin/husk").toAbsolutePath().toString();
    var builder = new ProcessBuilder(python, script, answer, command, "trust");
    builder.directory(husk.home.resolve("work").toFile()).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(husk.environment);
    var ended = HuskCommand.finish(builder.start(), "");
    assertThat(ended.exit()).as(ended.out()).isEqualTo(exit);
    return ended.out();
  }

  @Test
  void whatIsTrustedIsListedKeptPrivatelyAndTakenBack() throws IOException {
    Files.writeString(file, "profile = \"permissive\"\n");
    assertThat(husk.run("trust", "--yes", "husk.toml").out()).contains("trusted: ");
    assertThat(husk.run("trust", "--list").out()).contains(file.toRealPath().toString());
    try (var records = Files.list(husk.home.resolve("home/trusted"))) {
      assertThat(records)
          .singleElement()
          .satisfies(
              record ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(record)))
                      .isEqualTo("rw-------"));
    }
    assertThat(husk.run("untrust").out()).contains("no longer trusted");
    assertThat(husk.run("create", "--name", "k").exit()).isEqualTo(REFUSED);
    assertThat(husk.run("trust", "--list").out()).isEqualTo("nothing is trusted\n");
  }

  @Test
  void fileThatOnlyNarrowsIsHonouredAtOnce() throws IOException {
    Files.writeString(file, "[security]\nnetwork = false\n[security.commands]\nblock = [\"id\"]\n");
    assertThat(husk.run("run", "--", "id").exit()).isNotZero();
    assertThat(husk.run("run", "--", "true").exit()).isZero();
    assertThat(husk.run("trust").err()).contains("opens nothing");
    assertThat(husk.run("trust").exit()).isZero();
  }

  @Test
  void sandboxesAreNotWidenedEither() throws IOException {
    Files.writeString(file, "[sandbox]\nbackend = \"host\"\n[security]\nmount_cwd = true\n");
    var refused = husk.run("run", "--", "true");
    assertThat(refused.exit()).isEqualTo(125);
    assertThat(refused.err()).contains("sandbox.backend = host").contains("husk trust");
    assertThat(husk.run("sandbox", "create", "box").exit()).isEqualTo(REFUSED);
    assertThat(husk.run("sandbox", "list", "--json").json().path("sandboxes")).isEmpty();
  }

  @Test
  void settingsCanBeLookedAtInAProjectThatIsNotTrusted() throws IOException {
    Files.writeString(file, "backend = \"host\"\n");
    var shown = husk.run("config", "show");
    assertThat(shown.exit()).isZero();
    assertThat(shown.out()).containsPattern("backend +bubblewrap +default").contains("not trusted");
  }

  @Test
  void homeOfHuskInsideTheProjectIsOutOfReach() throws IOException {
    husk.environment.put("HUSK_HOME", husk.home.resolve("work/.h").toString());
    var attack =
        "mkdir -p .h/trusted; echo x > .h/husk.toml || echo x > .h/trusted/x || mv .h other";
    assertThat(husk.run("run", "--dir", ".", "--", "sh", "-c", attack).exit()).isNotZero();
    assertThat(husk.home.resolve("work/.h/husk.toml")).doesNotExist();
    assertThat(husk.run("run", "--dir", "..", "--", "sh", "-c", "cd work && " + attack).exit())
        .isNotZero();
    assertThat(husk.home.resolve("work/.h/husk.toml")).doesNotExist();
    husk.run("daemon", "stop", "--kernels");
  }
}
