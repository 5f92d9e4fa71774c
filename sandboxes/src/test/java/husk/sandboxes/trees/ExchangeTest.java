package husk.sandboxes.trees;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What somebody gets who exchanges files and folders while they are taken and put back.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ExchangeTest {
  private static final int TIMES = 150;
  private static final int FILES = 20;
  private static final int LENT = 04755;

  private final Grove grove;
  private final Path host;

  ExchangeTest() throws IOException {
    grove = new Grove();
    host = Files.createDirectory(grove.outside("host"));
  }

  @AfterEach
  void close() throws IOException {
    grove.close();
  }

  /// The same names in a folder of the live tree, and in one of the host with other looks.
  private Path twins() throws IOException {
    for (var i = 0; i < FILES; i++) {
      Grove.mode(grove.write("dir/f" + i, "theirs"), 0600);
      var ours = Files.writeString(host.resolve("f" + i), "ours");
      Grove.mode(ours, LENT);
      Grove.age(ours, FileTime.fromMillis(1000));
    }
    return grove.live.resolve("dir");
  }

  private static void exchangeForLink(Path folder, Path target) throws IOException {
    var aside = folder.resolveSibling("aside");
    Files.move(folder, aside);
    Files.createSymbolicLink(folder, target);
    Files.delete(folder);
    Files.move(aside, folder);
  }

  @Test
  void nobodysContentGetsTheLooksOfAFileOfTheHost() throws Exception {
    var dir = twins();
    try (var _ = new Swapper(() -> exchangeForLink(dir, host))) {
      for (var i = 0; i < TIMES; i++) {
        check(grove.snapshot());
      }
    }
  }

  private static void check(Path snapshot) throws IOException {
    try (var all = Files.walk(snapshot)) {
      for (var file :
          all.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)).toList()) {
        assertThat(file).hasContent("theirs");
        assertThat(Attributes.of(file).mode() & Attributes.BITS).isEqualTo(0600);
        assertThat(Files.getLastModifiedTime(file).toMillis()).isGreaterThan(1000);
      }
    }
    assertThat(IndexFile.read(Index.fileOf(snapshot)).root().toString())
        .doesNotContain("mode=" + (0100000 | LENT));
  }

  @Test
  void looksAndContentAreThoseOfOneFile() throws Exception {
    var file = grove.write("file", "shut");
    var shut = Files.writeString(grove.outside("shut"), "shut");
    var open = Files.writeString(grove.outside("open"), "open");
    Grove.mode(shut, 0600);
    Grove.mode(file, 0600);
    Grove.mode(open, 0755);
    try (var _ = new Swapper(() -> replace(file, open, shut))) {
      for (var i = 0; i < 10 * TIMES; i++) {
        var taken = grove.snapshot().resolve("file");
        var expected = Files.readString(taken).equals("open") ? 0755 : 0600;
        assertThat(Attributes.of(taken).permissions()).isEqualTo(expected);
      }
    }
  }

  /// Each in turn by a new name, so that there is always one.
  private static void replace(Path file, Path... by) throws IOException {
    for (var next : by) {
      var link = file.resolveSibling("../next");
      Files.deleteIfExists(link);
      Files.createLink(link, next);
      Files.move(link, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }
  }

  @Test
  void bitsThatLendRightsAreNeitherTakenNorPutBack() throws IOException {
    Grove.mode(grove.write("tool", "x"), 06755);
    Grove.mode(grove.write("dir/file", "x").resolveSibling("."), 03770);
    var snapshot = grove.snapshot();
    var fork = Files.createDirectory(grove.outside("fork"));
    TreeSnapshot.restore(snapshot, fork);
    grove.write("tool", "y");
    Grove.mode(grove.live.resolve("tool"), 06755);
    grove.restore(snapshot);
    for (var tree : new Path[] {snapshot, fork, grove.live}) {
      assertThat(Attributes.of(tree.resolve("tool")).mode() & Attributes.BITS).isEqualTo(0755);
      assertThat(Attributes.of(tree.resolve("dir")).permissions()).isEqualTo(01770);
    }
    assertThat(TreeSnapshot.difference(snapshot, grove.live).isEmpty()).isTrue();
  }

  @Test
  void bitThatCameSinceIsAChange() throws IOException {
    var tool = grove.write("tool", "x");
    Grove.mode(tool, 0755);
    var snapshot = grove.snapshot();
    Grove.mode(tool, 04755);
    assertThat(TreeSnapshot.difference(snapshot, grove.live).changed().first())
        .containsExactly("tool");
    grove.restore(snapshot);
    assertThat(Attributes.of(tool).mode() & Attributes.BITS).isEqualTo(0755);
  }

  @Test
  void puttingBackReachesNothingOfTheHost() throws Exception {
    var dir = twins();
    Files.createDirectory(dir.resolve("more"));
    var snapshot = grove.snapshot();
    var before = Grove.look(host);
    try (var _ = new Swapper(() -> exchangeForLink(dir, host))) {
      for (var i = 0; i < TIMES; i++) {
        try {
          grove.restore(snapshot);
        } catch (husk.model.Problem inTheWay) {
          assertThat(inTheWay).hasMessageContaining("cannot put the files");
        }
        assertThat(Grove.look(host)).isEqualTo(before);
      }
    }
  }

  /// Where nothing can be made beside the folder, what is put back is made in it.
  @Test
  void placeForWhatIsPutBackStaysTheOneThatWasMade() throws Exception {
    Files.writeString(host.resolve("file"), "kept");
    var copy = Files.writeString(grove.outside("copy"), "x");
    var wanted = new Entry.File(Attributes.of(copy), false);
    var aside = grove.live.resolve("aside");
    try (var held = Held.folder(grove.live);
        var root = LiveFolder.open(held.path());
        var staging = new Staging(grove.outside("missing/snapshot"), root)) {
      var place = grove.live.resolve(staging.place().path().getFileName());
      Files.move(place, aside);
      Files.createSymbolicLink(place, host);
      new Rebuild(staging).make(copy, wanted);
      assertThat(aside.resolve("0")).hasContent("x");
    } catch (IOException linkInTheWay) {
      // It is no folder, and stays.
    }
    assertThat(host).isDirectoryContaining("glob:**/file").isDirectoryNotContaining("glob:**/0");
    assertThat(aside).isEmptyDirectory();
  }

  @Test
  void removalReachesNothingOfTheHost() throws Exception {
    var before = Files.writeString(host.resolve("f0"), "ours");
    for (var i = 0; i < TIMES; i++) {
      for (var j = 0; j < 5; j++) {
        grove.write("box/dir/f" + j, "theirs");
      }
      var dir = grove.live.resolve("box/dir");
      try (var _ = new Swapper(() -> exchangeForLink(dir, host))) {
        removeAtLast(grove.live.resolve("box"));
      }
      removeAtLast(grove.live.resolve("box"));
      assertThat(before).hasContent("ours");
    }
  }

  private static void removeAtLast(Path tree) {
    try {
      TreeRemoval.remove(tree);
    } catch (IOException beingFilled) {
      // Somebody put things there until the end.
    }
  }
}
