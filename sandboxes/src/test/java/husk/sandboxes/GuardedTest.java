package husk.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.contract.Ran;
import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The files that decide about sandboxes to come, attacked from inside one.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class GuardedTest {
  private static final String OPEN = "backend = \"host\"";

  private Office office;
  private TempHome project;

  @BeforeEach
  void open() throws IOException {
    office = new Office(new PoolSettings(0, Duration.ofMinutes(1)));
    project = TempHome.create();
  }

  @AfterEach
  void close() throws IOException {
    office.close();
    project.close();
  }

  private Path at(String inside) {
    return project.path().resolve(inside);
  }

  private void sandbox(String name, Path folder, Optional<Path> cwd) {
    office.sandboxes.create(
        SandboxRequest.named(name).inFolder(folder.toString()), new Asker(cwd, Map.of()));
  }

  private void sandbox(String name) {
    sandbox(name, project.path(), Optional.empty());
  }

  private Ran in(String name, String script) throws IOException {
    return Ran.script(office.sandboxes.use(name), script);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo x > FILE",
        "echo x >> FILE",
        "rm -f FILE; test ! -e FILE",
        "mv FILE other",
        "touch other && mv -f other FILE",
        "echo x > other && ln -f other FILE",
        "echo x > other && ln -sf other FILE",
        "touch other && python3 -c \"import ctypes; c = ctypes.CDLL(None);"
            + " exit(c.renameat2(-100, b'other', -100, b'FILE', 2) != 0)\"",
        "chmod 777 FILE && echo x > FILE",
        "ln FILE other && echo x > other",
        "echo x > /proc/self/cwd/FILE",
        "mkdir FILE"
      })
  void projectsFilesAreNeitherMadeNorChangedFromInside(String trick) throws IOException {
    Files.writeString(at("husk.toml"), "max-retries = 1\n");
    sandbox("box");
    for (var file : List.of("husk.toml", "agentkernel.toml")) {
      var tried = trick.replace("FILE", file);
      assertThat(in("box", "cd /workspace && " + tried).code()).as(tried).isNotZero();
      in("box", "cd /workspace && rm -f other");
    }
    assertThat(in("box", "cat husk.toml; echo fine > other; cat other").out())
        .isEqualTo("max-retries = 1\nfine\n");
    office.sandboxes.remove("box");
    assertThat(at("husk.toml")).hasContent("max-retries = 1\n");
    assertThat(at("agentkernel.toml")).doesNotExist();
  }

  @Test
  void placesAreHeldForAsLongAsAnySandboxNeedsThem() throws IOException {
    sandbox("one");
    sandbox("two");
    office.sandboxes.remove("one");
    assertThat(in("two", "echo x > husk.toml").code()).isNotZero();
    assertThat(at("husk.toml")).isEmptyFile();
    office.sandboxes.stop("two");
    assertThat(at("husk.toml")).doesNotExist();
    office.sandboxes.start("two");
    assertThat(in("two", "echo x > husk.toml").code()).isNotZero();
    office.sandboxes.remove("two");
    assertThat(project.path()).isEmptyDirectory();
  }

  @Test
  void filesThatComeOrGoBetweenTwoStartsAreGuardedTheSame() throws IOException {
    Files.writeString(at("husk.toml"), "max-retries = 1\n");
    sandbox("box");
    office.sandboxes.stop("box");
    Files.delete(at("husk.toml"));
    Files.writeString(at("agentkernel.toml"), "[sandbox]\n");
    office.sandboxes.start("box");
    assertThat(in("box", "echo x > husk.toml").code()).isNotZero();
    assertThat(in("box", "echo x > agentkernel.toml").code()).isNotZero();
    assertThat(in("box", "cat agentkernel.toml").said()).isEqualTo("[sandbox]");
    office.sandboxes.remove("box");
    assertThat(at("husk.toml")).doesNotExist();
    assertThat(at("agentkernel.toml")).hasContent("[sandbox]\n");
  }

  @Test
  void theCallersOwnDirectoryIsGuardedBelowTheMount() throws IOException {
    Files.createDirectories(at("a/b"));
    sandbox("box", project.path(), Optional.of(at("a/b")));
    for (var trick :
        List.of("echo x > a/b/husk.toml", "mv a c", "mv a/b a/c", "rm -r a/b && mkdir a/b")) {
      assertThat(in("box", trick).code()).as(trick).isNotZero();
    }
    assertThat(in("box", "echo x > a/husk.toml").code()).isZero();
  }

  @Test
  void mountBesideTheWorkspaceIsGuardedToo() throws IOException {
    Files.createDirectories(at("data"));
    office.sandboxes.create(
        SandboxRequest.named("box").showing(List.of(at("data") + ":/data:rw")), Asker.NOBODY);
    assertThat(in("box", "echo x > /data/husk.toml").code()).isNotZero();
    assertThat(in("box", "echo x > /data/other").code()).isZero();
  }

  @Test
  void linkInTheirPlaceIsRefused() throws IOException {
    Files.writeString(at("real.toml"), OPEN);
    Files.createSymbolicLink(at("husk.toml"), at("real.toml"));
    assertRefused(() -> sandbox("box"), "link");
    Files.delete(at("husk.toml"));
    sandbox("box");
    office.sandboxes.stop("box");
    Files.createSymbolicLink(at("husk.toml"), at("nowhere"));
    assertRefused(() -> office.sandboxes.start("box"), "link");
  }

  @Test
  void suchAFileItselfCannotBeMountedToBeWritten() throws IOException {
    Files.writeString(at("husk.toml"), OPEN);
    var request = SandboxRequest.named("box");
    var file = at("husk.toml") + ":/x/husk.toml";
    assertRefused(
        () -> office.sandboxes.create(request.showing(List.of(file + ":rw")), Asker.NOBODY),
        "sandboxes to come");
    office.sandboxes.create(request.showing(List.of(file)), Asker.NOBODY);
    assertThat(in("box", "cat /x/husk.toml").said()).isEqualTo(OPEN);
  }

  private static void assertRefused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(Problem.Code.INVALID_REQUEST);
              assertThat(problem.text()).contains(why);
            });
  }

  @Test
  void whatHuskKeepsIsNotSeenThroughAMount() throws IOException {
    var own = Files.createDirectories(office.home.resolve("own/trusted"));
    Files.writeString(own.resolve("record.json"), "{}");
    sandbox("box", office.home.path(), Optional.empty());
    assertThat(in("box", "ls own; echo x > own/trusted/record.json").code()).isNotZero();
    assertThat(in("box", "mv own other").code()).isNotZero();
    assertThat(in("box", "cat own/trusted/record.json").out()).isEmpty();
  }

  @Test
  void theUsualHomeIsHeldWhateverHomeThisDaemonHas() throws IOException {
    var users = System.getProperty("user.home");
    System.setProperty("user.home", project.path().toString());
    try {
      sandbox("box");
      assertThat(in("box", "mkdir .husk || echo x > .husk/husk.toml").code()).isNotZero();
      office.sandboxes.remove("box");
      assertThat(at(".husk")).doesNotExist();
    } finally {
      System.setProperty("user.home", users);
    }
  }

  @Test
  void fileOfRulesCannotLoosenItself() throws IOException {
    var rules = at("rules.json");
    Files.writeString(
        rules,
        """
        {"network": {"allowedDomains": [], "deniedDomains": []},
         "filesystem": {"denyRead": [], "allowWrite": ["."], "denyWrite": []}}
        """);
    var request = RuntimeConfig.read(rules, project.path()).apply(SandboxRequest.named("box"));
    office.sandboxes.create(request, Asker.NOBODY);
    var here = "cd " + project.path() + " && ";
    assertThat(in("box", here + "echo x > other").code()).isZero();
    assertThat(in("box", here + "echo x > rules.json").code()).isNotZero();
    assertThat(in("box", here + "mv other rules.json").code()).isNotZero();
    assertThat(in("box", here + "echo x > husk.toml").code()).isNotZero();
  }
}
