package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// `husk cp`, export and import against a real agent.
@ExtendWith(LeakDetector.class)
@Timeout(120)
final class CopyTest {
  private AgentHouse house;
  private Calls calls;
  private Path here;

  @BeforeEach
  void open() throws IOException {
    house = new AgentHouse();
    calls = house.calls;
    here = Files.createDirectory(calls.temp.resolve("here"));
  }

  @AfterEach
  void close() throws IOException {
    house.close();
  }

  private String inside(String path) {
    return "box:" + house.workspace.resolve(path);
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aFileGoesInAndComesOutWithItsMode() throws IOException {
    var script = Files.writeString(here.resolve("run.sh"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
    assertThat(calls.husk("cp", script.toString(), inside("x.sh"))).as(calls.err()).isZero();
    assertThat(calls.out())
        .isEqualTo("Copied 10 bytes from " + script + " to " + inside("x.sh") + "\n");
    assertThat(mode(house.workspace.resolve("x.sh"))).isEqualTo("rwxr-x---");
    assertThat(calls.husk("sandbox", "cp", inside("x.sh"), "here/back")).as(calls.err()).isZero();
    assertThat(here.resolve("back")).hasContent("#!/bin/sh");
    assertThat(mode(here.resolve("back"))).isEqualTo("rwxr-x---");
  }

  @Test
  void aLinkInsideIsFollowedInsideAndGivesItsFile() throws IOException {
    Files.writeString(house.workspace.resolve("real"), "text");
    Files.createSymbolicLink(house.workspace.resolve("link"), Path.of("real"));
    assertThat(calls.husk("cp", "box:link", "here/copy")).as(calls.err()).isZero();
    assertThat(here.resolve("copy")).isRegularFile().hasContent("text");
    assertThat(mode(here.resolve("copy"))).isEqualTo("rw-r--r--");
  }

  @Test
  void whatIsInTheWayStaysWhenACopyFails() throws IOException {
    Files.writeString(here.resolve("mine"), "old");
    assertThat(calls.husk("cp", "box:nothing", "here/mine")).isEqualTo(3);
    assertThat(here.resolve("mine")).hasContent("old");
    try (var left = Files.newDirectoryStream(here)) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void aFolderAsTargetKeepsTheName() throws IOException {
    Files.writeString(here.resolve("a"), "1");
    Files.createDirectory(house.workspace.resolve("d"));
    assertThat(calls.husk("cp", "here/a", inside("d"))).as(calls.err()).isZero();
    assertThat(house.workspace.resolve("d/a")).hasContent("1");
    assertThat(calls.husk("cp", "here/a", "box:d/b")).isZero();
    assertThat(calls.husk("cp", "box:d/b", "here/")).isZero();
    assertThat(here.resolve("b")).hasContent("1");
    assertThat(calls.husk("cp", "box:d/b", "no/such/")).isEqualTo(6);
    assertThat(calls.husk("cp", "box:nothing", "here")).isEqualTo(3);
    assertThat(calls.husk("cp", "here/nothing", "box:x")).isEqualTo(6);
  }

  @Test
  void foldersGoInAndComeOut() throws IOException {
    Files.createDirectories(here.resolve("tree/sub"));
    Files.writeString(here.resolve("tree/sub/f"), "deep");
    Files.createSymbolicLink(here.resolve("tree/l"), Path.of("sub/f"));
    assertThat(calls.husk("cp", "here/tree", "box:new")).as(calls.err()).isZero();
    assertThat(house.workspace.resolve("new/sub/f")).hasContent("deep");
    assertThat(calls.husk("cp", "here/tree", "box:new")).isZero();
    assertThat(house.workspace.resolve("new/tree/sub/f")).hasContent("deep");
    assertThat(calls.husk("cp", "box:new", "here")).as(calls.err()).isZero();
    assertThat(here.resolve("new/tree/l")).hasContent("deep");
    assertThat(Files.readSymbolicLink(here.resolve("new/l"))).isEqualTo(Path.of("sub/f"));
    assertThat(calls.husk("cp", "box:new/.", "here/flat")).as(calls.err()).isZero();
    assertThat(here.resolve("flat/sub/f")).hasContent("deep");
  }

  @Test
  void aHostileFolderReachesNothingOutside() throws IOException {
    Files.createDirectory(house.workspace.resolve("evil"));
    Files.createSymbolicLink(
        house.workspace.resolve("evil/link"), Path.of("../../../../../../etc"));
    assertThat(calls.husk("cp", "box:evil", "here/out")).isEqualTo(6);
    assertThat(calls.err()).contains("leads out of the folder");
    assertThat(here.resolve("out/link")).doesNotExist();
  }

  @Test
  void standardStreamsAreFilesToo() throws IOException {
    calls.input = "piped";
    assertThat(calls.husk("cp", "-", "box:p")).as(calls.err()).isZero();
    assertThat(house.workspace.resolve("p")).hasContent("piped");
    assertThat(calls.husk("cp", "box:p", "-")).isZero();
    assertThat(calls.out()).isEqualTo("piped");
  }

  @Test
  void exactlyOneSideIsASandbox() {
    assertThat(calls.husk("cp", "a:/x", "b:/y")).isEqualTo(2);
    assertThat(calls.err()).contains("Cannot copy between sandboxes");
    assertThat(calls.husk("cp", "x", "y")).isEqualTo(2);
    assertThat(calls.err()).contains("At least one path must be a sandbox path");
    assertThat(calls.husk("cp", "x", "nobody:/y")).isEqualTo(3);
  }

  @Test
  void anExportCanBeImported() throws IOException {
    Files.createDirectories(house.workspace.resolve("src"));
    Files.writeString(house.workspace.resolve("src/main"), "code");
    Files.writeString(calls.temp.resolve("home/.profile"), "mine");
    assertThat(calls.husk("sandbox", "export", "box", "-o", "here/e.tar")).as(calls.err()).isZero();
    assertThat(calls.out()).matches("Exported 0\\.\\d MB to here/e.tar\n");
    Files.delete(house.workspace.resolve("src/main"));
    Files.delete(calls.temp.resolve("home/.profile"));
    assertThat(calls.husk("sandbox", "import", "here/e.tar", "--as", "box"))
        .as(calls.err())
        .isZero();
    assertThat(house.workspace.resolve("src/main")).hasContent("code");
    assertThat(calls.temp.resolve("home/.profile")).hasContent("mine");
    assertThat(calls.husk("sandbox", "import", "here/none.tar", "--as", "box")).isEqualTo(6);
    Files.writeString(here.resolve("text"), "no archive ".repeat(100));
    assertThat(calls.husk("sandbox", "import", "here/text", "--as", "box")).isNotZero();
    assertThat(house.daemon.requests.getLast()).startsWith("DELETE /sandboxes/box");
  }

  @Test
  void whatIsStoppedIsExportedFromWhereItIsKept() throws IOException {
    var kept = Files.createDirectories(calls.temp.resolve("kept/home"));
    Files.writeString(kept.resolve("note"), "mine");
    var mounted = Files.createDirectories(calls.temp.resolve("mounted here"));
    Files.writeString(mounted.resolve("main"), "code");
    Files.createSymbolicLink(mounted.resolve("out"), Path.of("/etc/hostname"));
    house.stopped(kept.resolveSibling("workspace"), mounted);
    assertThat(calls.husk("sandbox", "export", "box", "-o", "here/s.tar")).as(calls.err()).isZero();
    var tar = new husk.cli.tar.TarReader(Files.newInputStream(here.resolve("s.tar")));
    var names = new java.util.ArrayList<String>();
    for (var entry = tar.next(); entry.isPresent(); entry = tar.next()) {
      names.add(entry.get().kind() + " " + entry.get().name());
    }
    assertThat(names).contains("FILE workspace/main", "SYMLINK workspace/out", "FILE home/note");
    assertThat(house.daemon.requests).noneMatch(request -> request.contains("/used"));
  }

  @Test
  void aLinkThatASandboxLeftInASharedFolderIsNotWrittenThrough() throws IOException {
    var secret = Files.writeString(calls.temp.resolve("secret"), "mine");
    Files.createDirectory(calls.temp.resolve("elsewhere"));
    Files.createSymbolicLink(here.resolve("report"), secret);
    Files.createSymbolicLink(here.resolve("tree"), calls.temp.resolve("elsewhere"));
    Files.writeString(house.workspace.resolve("report"), "theirs");
    Files.createDirectory(house.workspace.resolve("tree"));
    Files.writeString(house.workspace.resolve("tree/f"), "theirs");
    assertThat(calls.husk("cp", "box:report", "here/")).isEqualTo(6);
    assertThat(calls.err()).contains("is in the way");
    assertThat(calls.husk("cp", "box:tree", "here")).isEqualTo(6);
    assertThat(calls.temp.resolve("elsewhere/f")).doesNotExist();
    assertThat(secret).hasContent("mine");
    assertThat(calls.husk("cp", "box:report", "here/report")).as("named").isZero();
    assertThat(secret).hasContent("theirs");
  }
}
