package husk.sandboxes.trees;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// How a folder goes back to what a snapshot has.
@ExtendWith(LeakDetector.class)
final class RestoreTest {
  private final Grove grove;

  RestoreTest() throws IOException {
    grove = new Grove();
  }

  @AfterEach
  void close() throws IOException {
    grove.close();
  }

  @Test
  void putsBackWhatChangedAndWentAndRemovesWhatCame() throws Exception {
    grove.write("same", "1");
    grove.write("edited", "1");
    grove.write("lost/file", "1");
    grove.settle();
    var before = Grove.look(grove.live);
    var same = Grove.inode(grove.live.resolve("same"));
    var snapshot = grove.snapshot();
    grove.write("edited", "changed");
    Files.delete(grove.live.resolve("lost/file"));
    Files.delete(grove.live.resolve("lost"));
    grove.write("new/file", "1");

    var changes = grove.restore(snapshot);

    assertThat(Grove.look(grove.live)).isEqualTo(before);
    assertThat(Grove.inode(grove.live.resolve("same"))).isEqualTo(same);
    assertThat(changes.added().first()).isEqualTo(List.of("lost/", "lost/file"));
    assertThat(changes.changed().first()).isEqualTo(List.of("edited"));
    assertThat(changes.removed().first()).isEqualTo(List.of("new/", "new/file"));
  }

  @Test
  void findsNothingToDoTheSecondTime() throws Exception {
    grove.write("a", "1");
    grove.write("dir/b", "1");
    var snapshot = grove.snapshot();
    grove.write("a", "2");
    grove.restore(snapshot);
    var restored = Grove.inode(grove.live.resolve("a"));
    assertThat(grove.restore(snapshot).isEmpty()).isTrue();
    assertThat(Grove.inode(grove.live.resolve("a"))).isEqualTo(restored);
  }

  @Test
  void doesNotLetLaterWritesReachTheSnapshot() throws IOException {
    var file = grove.write("file", "kept");
    var snapshot = grove.snapshot();
    for (var i = 0; i < 3; i++) {
      Files.writeString(file, "lost", StandardOpenOption.TRUNCATE_EXISTING);
      grove.restore(snapshot);
      assertThat(file).hasContent("kept");
    }
    Files.writeString(file, "lost", StandardOpenOption.TRUNCATE_EXISTING);
    assertThat(snapshot.resolve("file")).hasContent("kept");
  }

  @Test
  void leavesOpenFilesToThoseWhoHaveThem() throws IOException {
    var file = grove.write("file", "old");
    var snapshot = grove.snapshot();
    Files.writeString(file, "new");
    try (var open = FileChannel.open(file)) {
      grove.restore(snapshot);
      var bytes = java.nio.ByteBuffer.allocate(8);
      open.read(bytes);
      assertThat(
              new String(
                  bytes.array(), 0, bytes.position(), java.nio.charset.StandardCharsets.US_ASCII))
          .isEqualTo("new");
    }
    assertThat(file).hasContent("old");
  }

  @Test
  void keepsTheFolderItself() throws IOException {
    grove.write("file", "x");
    var inode = Grove.inode(grove.live);
    Grove.mode(grove.live, 01750);
    var snapshot = grove.snapshot();
    Grove.mode(grove.live, 0700);
    grove.restore(snapshot);
    assertThat(Grove.inode(grove.live)).isEqualTo(inode);
    assertThat(Attributes.of(grove.live).permissions()).isEqualTo(01750);
  }

  @Test
  void fillsAnEmptyFolderWithACopy() throws IOException {
    grove.write("a/b/c", "1");
    grove.write("d", "2");
    Files.createSymbolicLink(grove.live.resolve("link"), Path.of("d"));
    var snapshot = grove.snapshot();
    var fork = Files.createDirectory(grove.outside("fork"));
    assertThat(TreeSnapshot.restore(snapshot, fork).added().count()).isEqualTo(5);
    assertThat(Grove.look(fork)).isEqualTo(Grove.look(grove.live));
    Files.writeString(fork.resolve("d"), "fork's own");
    assertThat(grove.live.resolve("d")).hasContent("2");
    assertThat(snapshot.resolve("d")).hasContent("2");
  }

  @Test
  void changesOneKindOfEntryIntoAnother() throws Exception {
    grove.write("file", "1");
    grove.write("folder/inside", "1");
    Files.createSymbolicLink(grove.live.resolve("link"), Path.of("file"));
    var before = Grove.look(grove.live);
    var snapshot = grove.snapshot();
    Grove.run("sh", "-c", "cd \"$0\"; rm -r *; mkdir -p file/x link/y; ln -s / folder", live());
    grove.restore(snapshot);
    assertThat(Grove.look(grove.live)).isEqualTo(before);
  }

  @Test
  void bringsBackModes() throws IOException {
    var file = grove.write("dir/file", "1");
    var folder = grove.live.resolve("dir");
    Grove.mode(file, 01555);
    Grove.mode(folder, 0755);
    var shared = Files.createDirectory(grove.live.resolve("shared"));
    Grove.mode(shared, 01777);
    var before = Grove.look(grove.live);
    var snapshot = grove.snapshot();
    Grove.mode(file, 0600);
    Grove.mode(folder, 0700);
    Grove.mode(shared, 0700);
    assertThat(grove.restore(snapshot).changed().first())
        .containsExactly("dir/", "dir/file", "shared/");
    assertThat(Grove.look(grove.live)).isEqualTo(before);
  }

  @Test
  void bringsBackTheTimesOfFolders() throws IOException {
    grove.write("dir/file", "1");
    var time = Files.getLastModifiedTime(grove.live.resolve("dir"));
    var snapshot = grove.snapshot();
    grove.write("dir/other", "1");
    grove.restore(snapshot);
    assertThat(Files.getLastModifiedTime(grove.live.resolve("dir"))).isEqualTo(time);
  }

  @Test
  void bringsBackFilesWithTwoNames() throws Exception {
    var a = grove.write("a", "shared");
    var b = grove.live.resolve("dir/b");
    grove.write("dir/c", "shared");
    Files.createLink(b, a);
    grove.settle();
    var snapshot = grove.snapshot();
    Files.delete(b);
    Files.createLink(b, grove.live.resolve("dir/c"));
    grove.restore(snapshot);
    assertThat(Grove.inode(a)).isEqualTo(Grove.inode(b));
    assertThat(Grove.inode(b)).isNotEqualTo(Grove.inode(grove.live.resolve("dir/c")));
    assertThat(Attributes.of(a).nlink()).isEqualTo(2);
    Files.writeString(a, "both");
    assertThat(b).hasContent("both");
  }

  @Test
  void neverWritesThroughALink() throws IOException {
    var outside = Files.createDirectory(grove.outside("outside"));
    var victim = Files.writeString(outside.resolve("file"), "untouched");
    grove.write("dir/file", "mine");
    grove.write("file", "mine");
    var before = Grove.look(grove.live);
    var snapshot = grove.snapshot();
    Files.delete(grove.live.resolve("dir/file"));
    Files.delete(grove.live.resolve("dir"));
    Files.delete(grove.live.resolve("file"));
    Files.createSymbolicLink(grove.live.resolve("dir"), outside);
    Files.createSymbolicLink(grove.live.resolve("file"), victim);
    Files.createSymbolicLink(grove.live.resolve("extra"), outside);
    grove.restore(snapshot);
    assertThat(Grove.look(grove.live)).isEqualTo(before);
    assertThat(Grove.look(outside)).hasSize(1);
    assertThat(victim).hasContent("untouched");
  }

  @Test
  void copesWithHostileNames() throws Exception {
    Grove.run(
        "bash",
        "-c",
        "cd \"$0\"; for n in $'new\\n"
            + "line' $'bad\\xff' $'bad\\xfe' ' ' '-rf' '*' $'\\\\' 'ü' $'d\\xff\\xfe'; do mkdir -p"
            + " \"sub $n\"; printf '%s' \"$n\" > \"./$n\"; echo 1 > \"sub $n/$n\"; done",
        live());
    var snapshot = grove.snapshot();
    var fork = Files.createDirectory(grove.outside("fork"));
    TreeSnapshot.restore(snapshot, fork);
    Grove.run("diff", "-r", live(), fork.toString());
    Grove.run(
        "bash", "-c", "cd \"$0\"; rm $'bad\\xff'; echo 2 > $'bad\\xfe'; mv ' ' $'\\xc3'", live());
    assertThat(grove.restore(snapshot).removed().count()).isEqualTo(1);
    Grove.run("diff", "-r", fork.toString(), live());
  }

  @Test
  void removesFoldersThatLieTooDeepToBeEntered() throws Exception {
    grove.write("file", "x");
    var before = Grove.look(grove.live);
    var snapshot = grove.snapshot();
    deep();
    grove.restore(snapshot);
    assertThat(Grove.look(grove.live)).isEqualTo(before);
  }

  @Test
  void takesWhatIsNotTooDeepAndLeavesTheRestAlone() throws Exception {
    deep();
    var snapshot = grove.snapshot();
    Files.delete(grove.live.resolve("d/mark"));
    assertThat(grove.restore(snapshot).added().first()).containsExactly("d/mark");
    Grove.run("python3", "-c", DEPTH, live());
    Grove.run("rm", "-rf", live() + "/d");
  }

  private static final String DEPTH =
      "import os,sys; os.chdir(sys.argv[1])\nfor i in range(1500): os.chdir('d')";

  private void deep() throws Exception {
    Grove.run(
        "python3",
        "-c",
        "import os,sys; os.chdir(sys.argv[1])\n"
            + "for i in range(1500):\n os.mkdir('d'); os.chdir('d'); open('mark','w').close()",
        live());
  }

  @Test
  void leavesNothingBesideTheFolderAndTheSnapshot() throws IOException {
    grove.write("file", "1");
    var snapshot = grove.snapshot();
    grove.write("file", "2");
    grove.restore(snapshot);
    try (var all = Files.list(grove.outside("."))) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("live", "snapshot-0", "snapshot-0.index");
    }
    assertThat(Files.exists(snapshot, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  private String live() {
    return grove.live.toString();
  }
}
