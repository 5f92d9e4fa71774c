package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/// Files and folders on their way in and out.
final class SandboxCopyTest extends SandboxTest {

  @Test
  void filesAndFoldersGoBothWays() throws Exception {
    create("box");
    Files.createDirectories(work("tree/sub"));
    write("tree/sub/file", "deep");
    work("tree/sub/file").toFile().setExecutable(true);
    assertThat(out("cp", "tree", "box:/workspace/new"))
        .startsWith("Copied 4 bytes from tree to box:");
    assertThat(out("exec", "box", "sh", "-c", "cat new/sub/file; test -x new/sub/file && echo x"))
        .isEqualTo("deepx\n");
    out("exec", "box", "sh", "-c", "echo more > new/sub/more");
    out("sandbox", "cp", "box:new", "back");
    assertThat(work("back/sub/more")).hasContent("more");
    assertThat(Files.isExecutable(work("back/sub/file"))).isTrue();
    assertThat(husk.run("cp", "box:new/sub/file", "-").out()).isEqualTo("deep");
    assertThat(husk.runWithInput("piped", "cp", "-", "box:p").exit()).isZero();
    assertThat(out("exec", "box", "cat", "p")).isEqualTo("piped");
  }

  @Test
  void aHostileSandboxWritesNothingOutside() {
    create("box");
    write("untouched", "mine");
    out("exec", "box", "sh", "-c", "mkdir evil; ln -s ../untouched evil/a; ln -s / evil/root");
    var refused = husk.run("cp", "box:evil", "out");
    assertThat(refused.exit()).isEqualTo(6);
    assertThat(refused.err()).contains("leads out of the folder");
    assertThat(work("untouched")).hasContent("mine");
    out("exec", "box", "sh", "-c", "mkdir pipes; mkfifo pipes/p");
    assertThat(husk.run("cp", "box:pipes", "out2").exit()).isEqualTo(6);
  }

  @Test
  void largeFilesNeedLittleMemory() throws Exception {
    create("box");
    try (var file = new RandomAccessFile(work("big").toFile(), "rw")) {
      file.setLength(600L << 20);
    }
    out("cp", "big", "box:big");
    assertThat(out("exec", "box", "stat", "-c", "%s", "big").strip()).isEqualTo("629145600");
    out("cp", "box:big", "again");
    assertThat(Files.size(work("again"))).isEqualTo(629_145_600);
  }

  @Test
  void anExportMakesAnEqualSandbox() {
    create("one", "--memory", "300M", "-l", "a=b");
    out("exec", "one", "sh", "-c", "mkdir d; echo w > d/f; echo h > ~/f; ln -s d/f l");
    assertThat(out("sandbox", "export", "one", "-o", "one.tar")).contains("MB to one.tar");
    out("sandbox", "import", "one.tar", "--as", "two");
    assertThat(out("exec", "two", "sh", "-c", "cat l ~/f")).isEqualTo("w\nh\n");
    assertThat(out("sandbox", "export-config", "one")).contains("memory_mb = 300", "a = \"b\"");
  }

  @Test
  void whatIsStoppedIsExportedToo() {
    create("one");
    out("exec", "one", "sh", "-c", "echo w > f; echo h > ~/f; mkfifo pipe");
    out("sandbox", "stop", "one");
    assertThat(out("sandbox", "export", "one", "-o", "one.tar")).contains("MB to one.tar");
    out("sandbox", "import", "one.tar", "--as", "two");
    assertThat(out("exec", "two", "sh", "-c", "cat f ~/f; ls")).isEqualTo("w\nh\nf\n");
    assertThat(out("sandbox", "info", "one", "--json")).contains("\"stopped\"");
  }
}
