package husk.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of ipybox's file, tried from inside a running sandbox.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RuntimeRulesTest {
  private Office office;
  private TempHome project;

  @BeforeEach
  void open() throws IOException {
    office = new Office(new PoolSettings(0, Duration.ofMinutes(1)));
    project = TempHome.create();
    Files.createDirectories(at("w"));
  }

  @AfterEach
  void close() throws IOException {
    office.close();
    project.close();
  }

  private Path at(String inside) {
    return project.path().resolve(inside);
  }

  private void sandbox(String name, List<String> denyRead, List<String> denyWrite)
      throws IOException {
    sandbox(name, project.path(), denyRead, List.of("w"), denyWrite);
  }

  private void sandbox(
      String name,
      Path directory,
      List<String> denyRead,
      List<String> allowWrite,
      List<String> denyWrite)
      throws IOException {
    var file = at("rules.json");
    Files.writeString(
        file,
        """
        {"network": {"allowedDomains": [], "deniedDomains": []},
         "filesystem": {"denyRead": %s, "allowWrite": %s, "denyWrite": %s}}
        """
            .formatted(json(denyRead), json(allowWrite), json(denyWrite)));
    var request = RuntimeConfig.read(file, directory).apply(SandboxRequest.named(name));
    office.sandboxes.create(request, Asker.NOBODY);
  }

  private static String json(List<String> words) {
    return words.stream()
        .map(word -> "\"" + word + "\"")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private Ran in(String name, String script) throws IOException {
    return Ran.script(office.sandboxes.use(name), "cd " + at("w") + " && " + script);
  }

  private List<String> onTheHost() {
    try (var found = Files.walk(at("w"))) {
      return found.map(path -> at("w").relativize(path).toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (UncheckedIOException changing) {
      return List.of("something that was just removed");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo x > a/b/c",
        "mkdir a/b/c/d",
        "rm -r a/b/c",
        "ln -s /usr a/b/c",
        "ln -sfn /usr a/b/c",
        "mv a x",
        "mv a/b a/x",
        "mv a/b/c a/x",
        "mkdir n && mv -T n a/b/c",
        "touch n && mv -f -T n a/b/c",
        "rm -rf a && mkdir a",
        "rmdir a/b",
        "mkdir -p n/b/c && mv --exchange n a",
        "python3 -c \"import ctypes; c = ctypes.CDLL(None, use_errno=True); import os;"
            + " os.makedirs('n/b/c'); exit(c.renameat2(-100, b'n', -100, b'a', 2) == 0 or 1)\"",
        "ln a/b/c n",
        "chmod 777 a/b/c && echo x > a/b/c",
        "mount -t tmpfs none a",
        "umount a/b/c",
        "cd a/b && echo x > c",
        "echo x > /proc/self/cwd/a/b/c"
      })
  void pathThatDoesNotExistYetIsNotMade(String trick) throws IOException {
    sandbox("box", List.of(), List.of("w/a/b/c"));
    assertThat(in("box", trick).code()).as(trick).isNotZero();
    assertThat(in("box", "echo fine > a/b/other && cat a/b/other").said()).isEqualTo("fine");
    office.sandboxes.remove("box");
    assertThat(at("w/a/b/c")).doesNotExist();
    assertThat(at("w/a/b/other")).hasContent("fine\n");
  }

  @Test
  void nothingIsLeftOnTheHostWhenTheSandboxStops() throws IOException {
    var before = onTheHost();
    sandbox("box", List.of("w/.env"), List.of("w/a/b/c", "w/later"));
    assertThat(in("box", "echo x > later || echo x > .env").code()).isNotZero();
    office.sandboxes.stop("box");
    assertThat(onTheHost()).isEqualTo(before);
    office.sandboxes.start("box");
    assertThat(in("box", "echo x > later").code()).isNotZero();
    office.sandboxes.remove("box");
    assertThat(onTheHost()).isEqualTo(before);
  }

  @Test
  void nothingIsLeftBySandboxThatWasKilled() throws IOException {
    var before = onTheHost();
    sandbox("box", List.of(), List.of("w/later"));
    var pid = office.sandboxes.require("box").pid();
    office.sandboxes.close();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    office.reopen();
    Eventually.until(
        Duration.ofSeconds(20), () -> onTheHost().equals(before), () -> "left: " + onTheHost());
  }

  @Test
  void guardsOfOneSandboxOutliveTheEndOfAnother() throws IOException {
    sandbox("first", List.of(), List.of("w/later"));
    sandbox("second", List.of(), List.of("w/later"));
    office.sandboxes.remove("first");
    assertThat(in("second", "echo x > later").code()).isNotZero();
    assertThat(in("second", "mkdir -p .vscode/x").code()).isNotZero();
    office.sandboxes.remove("second");
    assertThat(onTheHost()).containsExactly("");
  }

  @Test
  void whatTheHostPutsWhereNothingWasStaysTheHosts() throws IOException {
    sandbox("box", List.of("w/.env"), List.of());
    Files.writeString(at("w/.env"), "KEY=1");
    assertThat(in("box", "cat .env").out()).doesNotContain("KEY");
    office.sandboxes.remove("box");
    assertThat(at("w/.env")).hasContent("KEY=1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".git/hooks/pre-commit",
        ".git/config",
        ".vscode/tasks.json",
        ".idea/x",
        ".claude/commands/x.md",
        ".claude/agents/x.md",
        ".mcp.json",
        ".gitmodules"
      })
  void whatOthersRunIsNotMade(String file) throws IOException {
    sandbox("box", List.of(), List.of());
    var folder = Path.of(file).getParent();
    var made = "mkdir -p " + (folder == null ? "." : folder) + " && echo evil > " + file;
    assertThat(in("box", made).code()).isNotZero();
    assertThat(in("box", "mv .git .old && mkdir -p .git/hooks").code()).isNotZero();
    office.sandboxes.remove("box");
    assertThat(at("w").resolve(file)).doesNotExist();
  }

  @Test
  void whatOthersRunIsNotChangedDeepInside() throws IOException {
    Files.createDirectories(at("w/repo/.git/hooks"));
    Files.writeString(at("w/repo/.git/config"), "[core]\n");
    sandbox("box", List.of(), List.of());
    for (var trick :
        List.of(
            "echo x >> repo/.git/config",
            "echo x > repo/.git/hooks/pre-commit",
            "mv repo/.git repo/old",
            "mv repo other",
            "rm repo/.git/config")) {
      assertThat(in("box", trick).code()).as(trick).isNotZero();
    }
    assertThat(in("box", "cat repo/.git/config; echo x > repo/.git/HEAD; cat repo/.git/HEAD").out())
        .isEqualTo("[core]\nx\n");
  }

  @Test
  void gitDirectoryOfAWorktreeCannotBecomeARepository() throws IOException {
    Files.writeString(at("w/.git"), "gitdir: elsewhere\n");
    sandbox("box", List.of(), List.of());
    assertThat(in("box", "rm .git && mkdir -p .git/hooks").code()).isNotZero();
    assertThat(in("box", "echo 'gitdir: mine' > .git").code()).isNotZero();
    assertThat(in("box", "cat .git").said()).isEqualTo("gitdir: elsewhere");
  }

  @Test
  void everythingIsReadThatIsNotDenied() throws IOException {
    Files.writeString(at("open.txt"), "open");
    Files.writeString(at("secret.txt"), "s3cret");
    Files.createDirectories(at("keys"));
    Files.writeString(at("keys/id"), "s3cret");
    sandbox("box", List.of("secret.txt", "keys"), List.of());
    assertThat(in("box", "cat ../open.txt").said()).isEqualTo("open");
    assertThat(in("box", "cat ../secret.txt ../keys/id; ls ../keys; cat w/../../keys/id").out())
        .doesNotContain("s3cret");
    assertThat(in("box", "echo x > ../open.txt").code()).isNotZero();
    for (var folder : VisibleMachine.folders()) {
      var listed = in("box", "ls -d " + folder + " && touch " + folder + "/husk-was-here");
      assertThat(listed.out()).isEqualTo(folder + "\n");
      assertThat(listed.code()).isNotZero();
    }
  }

  @Test
  void homeIsDeniedButForTheProjectInIt() throws IOException {
    Files.writeString(at("key"), "s3cret");
    sandbox("box", at("w"), List.of(project.path().toString()), List.of("."), List.of());
    assertThat(in("box", "echo mine > file && cat file").said()).isEqualTo("mine");
    assertThat(in("box", "cat ../key; ls ..").out()).isEqualTo("w\n");
  }

  @Test
  void deniedPathsAreDeniedByEveryNameOfTheDirectory() throws IOException {
    Files.writeString(at("w/secret"), "s3cret");
    Files.createSymbolicLink(at("alias"), at("w"));
    sandbox("box", at("alias"), List.of("secret", "later"), List.of("."), List.of());
    for (var name : List.of(at("alias"), at("w"))) {
      assertThat(in("box", "cat %s/secret".formatted(name)).out()).isEmpty();
      assertThat(in("box", "echo x > %s/later".formatted(name)).code()).isNotZero();
      assertThat(in("box", "echo x > %s/.mcp.json".formatted(name)).code()).isNotZero();
      assertThat(in("box", "echo x > %s/new && cat new".formatted(name)).said()).isEqualTo("x");
    }
  }

  @Test
  void socketsOfTheHostAreNotReachedThroughWhatMayBeRead() throws IOException {
    try (var folder = HomeFolder.create();
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      var socket = folder.path().resolve("s");
      server.bind(UnixDomainSocketAddress.of(socket));
      sandbox("box", List.of(), List.of());
      var connect =
          "python3 -c \"import socket; socket.socket(socket.AF_UNIX).connect('%s')\""
              .formatted(socket);
      assertThat(in("box", "ls " + folder.path()).said()).isEqualTo("s");
      assertThat(in("box", connect).code()).isNotZero();
    }
  }

  /// A folder that is not below `/tmp`, which every sandbox has of its own.
  private record HomeFolder(Path path) implements AutoCloseable {
    static HomeFolder create() throws IOException {
      return new HomeFolder(
          Files.createTempDirectory(Path.of(System.getProperty("user.home", "/")), "husk-test-"));
    }

    @Override
    public void close() throws IOException {
      Files.deleteIfExists(path.resolve("s"));
      Files.delete(path);
    }
  }
}
