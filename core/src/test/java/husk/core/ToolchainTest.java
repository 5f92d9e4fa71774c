package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.contract.Ran;
import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A language's tools, brought into a sandbox from where somebody has installed them.
@ExtendWith(LeakDetector.class)
final class ToolchainTest {
  private CoreHost host;
  private Path tools;
  private Path project;

  @BeforeEach
  void open() throws IOException {
    host = new CoreHost();
    project = Files.createDirectories(host.home.resolve("project"));
    tools = Files.createDirectories(host.home.resolve("opt/lua-5.9/bin"));
    program(tools.resolve("lua"), "cat $(dirname $0)/../lib/version");
    Files.createDirectories(host.home.resolve("opt/lua-5.9/lib"));
    Files.writeString(host.home.resolve("opt/lua-5.9/lib/version"), "5.9");
    Files.writeString(host.home.resolve("opt/secret"), "s3cret");
  }

  private static void program(Path file, String script) throws IOException {
    Files.createDirectories(file.resolve("..").normalize());
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void close() {
    host.core.sandboxes().clean(true);
    host.close();
  }

  private Caller caller() {
    var environment = new HashMap<>(host.caller().environment());
    environment.merge("PATH", "", (path, _) -> tools + ":" + path);
    return new Caller(Optional.of(project.toString()), environment, host.variables);
  }

  private Ran run(Optional<String> program, String script) throws IOException {
    host.core.sandboxes().remove("box");
    host.core.createSandbox(SandboxRequest.named("box"), Optional.empty(), program, caller());
    return Ran.script(host.core.sandboxes().use("box"), script);
  }

  @Test
  void toolOfTheCommandsLanguageIsThere() throws IOException {
    assertThat(run(Optional.of("lua"), "lua").said()).isEqualTo("5.9");
    assertThat(run(Optional.of("/bin/true"), "lua").code()).isEqualTo(127);
  }

  @Test
  void managersOfVersionsAreSeenThrough() throws IOException {
    var manager = host.home.resolve("opt/manager");
    program(manager.resolve("shims/lua"), "exec manager exec lua");
    program(manager.resolve("versions/5.8/bin/lua"), "echo of the manager");
    tools = manager.resolve("shims");
    Files.writeString(manager.resolve("version"), "system 5.8\n");
    assertThat(run(Optional.of("lua"), "lua").said()).isEqualTo("of the manager");
    Files.writeString(manager.resolve("version"), "system\n");
    assertThat(run(Optional.of("lua"), "echo $PATH").said()).doesNotContain("manager");
  }

  /// As Debian's JDKs and `/usr/local/go` are.
  @Test
  void toolWithAFolderOfItsOwnAmongTheSystemsIsOnThePath() throws IOException {
    tools = Path.of(System.getProperty("java.home"), "bin");
    assertThat(run(Optional.of("java"), "command -v java").said())
        .isEqualTo(tools.resolve("java").toString());
  }

  @Test
  void nothingElseOfWhereItIsInstalledIsSeen() throws IOException {
    var ran = run(Optional.of("lua"), "ls %s; cat %1$s/secret".formatted(host.home.resolve("opt")));
    assertThat(ran.out()).isEqualTo("lua-5.9\n");
    assertThat(run(Optional.of("lua"), "echo x > " + tools.resolve("lua")).code()).isNotZero();
  }

  @Test
  void projectsFilesDecideWhereTheCommandSaysNothing() throws IOException {
    Files.writeString(project.resolve("main.lua"), "");
    assertThat(run(Optional.of("make-it"), "lua").said()).isEqualTo("5.9");
    assertThat(run(Optional.empty(), "lua").said()).isEqualTo("5.9");
  }

  @Test
  void projectsFileDecidesOverItsFiles() throws IOException {
    Files.writeString(project.resolve("main.lua"), "");
    Files.writeString(project.resolve("husk.toml"), "[sandbox]\nruntime = \"base\"\n");
    assertThat(run(Optional.empty(), "lua").said()).isEqualTo("5.9");
    Files.writeString(project.resolve("husk.toml"), "[sandbox]\nruntime = \"go\"\n");
    assertThat(run(Optional.empty(), "lua").code()).isEqualTo(127);
    Files.writeString(project.resolve("husk.toml"), "[sandbox]\nruntime = \"cobol\"\n");
    assertThatThrownBy(() -> run(Optional.empty(), "true"))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("cobol");
  }

  @Test
  void keysBesideProgramsOfAHomeStayOutside() throws IOException {
    tools = host.home.resolve("someone/.cargo/bin");
    program(tools.resolve("cargo"), "cat $RUSTUP_HOME/toolchain");
    Files.createDirectories(host.home.resolve("someone/.rustup"));
    Files.writeString(host.home.resolve("someone/.rustup/toolchain"), "stable");
    Files.writeString(host.home.resolve("someone/.cargo/credentials.toml"), "s3cret");
    assertThat(run(Optional.of("cargo"), "cargo").said()).isEqualTo("stable");
    var search = "cat %s/credentials.toml".formatted(host.home.resolve("someone/.cargo"));
    assertThat(run(Optional.of("cargo"), search).out()).isEmpty();
  }

  @Test
  void commandThatTheProjectBlocksIsRefusedBeforeAnythingStarts() throws IOException {
    Files.writeString(project.resolve("husk.toml"), "[security.commands]\nblock = [\"lua\"]\n");
    assertThatThrownBy(() -> run(Optional.of("lua"), "true"))
        .isInstanceOfSatisfying(
            Problem.class, p -> assertThat(p.code()).isEqualTo(Problem.Code.FORBIDDEN));
    assertThat(host.core.sandboxes().list(java.util.Map.of())).isEmpty();
    Files.writeString(project.resolve("main.lua"), "");
    assertThat(run(Optional.of("sh"), "lua").code()).isNotZero();
    assertThat(run(Optional.empty(), tools + "/lua").code()).isNotZero();
  }

  @Test
  void commandsOutsideTheListOfTheProjectAreNotThere() throws IOException {
    Files.writeString(
        project.resolve("husk.toml"),
        "[security.commands]\nallow = [\"sh\", \"ls\"]\nallowlist_only = true\n");
    assertThat(run(Optional.of("sh"), "ls /usr/bin").said()).isEqualTo("ls\nsh");
    assertThatThrownBy(() -> run(Optional.of("curl"), "true")).isInstanceOf(Problem.class);
  }
}
