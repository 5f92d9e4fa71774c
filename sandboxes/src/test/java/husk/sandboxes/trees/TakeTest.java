package husk.sandboxes.trees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What a snapshot holds.
@ExtendWith(LeakDetector.class)
final class TakeTest {
  private final Grove grove;

  TakeTest() throws IOException {
    grove = new Grove();
  }

  @AfterEach
  void close() throws IOException {
    grove.close();
  }

  @Test
  void holdsFilesFoldersAndLinksAsTheyAre() throws IOException {
    Grove.mode(grove.write("deep/er/script", "echo 1"), 01751);
    Grove.age(
        grove.write("old", "x"), FileTime.from(java.time.Instant.ofEpochSecond(1, 123_456_789)));
    grove.write("empty", "");
    Files.createDirectory(grove.live.resolve("bare"));
    Files.createSymbolicLink(grove.live.resolve("dangling"), Path.of("../../nowhere"));
    var snapshot = grove.snapshot();
    assertThat(Grove.look(snapshot)).isEqualTo(Grove.look(grove.live));
  }

  @Test
  void keepsFilesWithTwoNamesTogether() throws IOException {
    grove.write("a", "shared");
    Files.createLink(grove.live.resolve("b"), grove.live.resolve("a"));
    var snapshot = grove.snapshot();
    assertThat(Grove.inode(snapshot.resolve("a"))).isEqualTo(Grove.inode(snapshot.resolve("b")));
  }

  @Test
  void sharesUnchangedFilesWithThePreviousOne() throws Exception {
    grove.write("same", "1");
    grove.write("other", "1");
    grove.settle();
    var first = grove.snapshot();
    grove.write("other", "2");
    var second = grove.snapshot(Optional.of(first));
    assertThat(Grove.inode(second.resolve("same"))).isEqualTo(Grove.inode(first.resolve("same")));
    assertThat(second.resolve("other")).hasContent("2");
    assertThat(first.resolve("other")).hasContent("1");
  }

  @Test
  void noticesAChangeThatHidesItsTimeAndSize() throws Exception {
    var file = grove.write("file", "before");
    grove.settle();
    var time = Files.getLastModifiedTime(file);
    var first = grove.snapshot();
    Files.writeString(file, "after!");
    Files.setLastModifiedTime(file, time);
    var second = grove.snapshot(Optional.of(first));
    assertThat(second.resolve("file")).hasContent("after!");
  }

  /// Written, saved and written again within one tick of the kernel's clock for files.
  @Test
  void noticesChangesThatFollowAtOnce() throws IOException {
    var file = grove.write("file", "000");
    for (var i = 0; i < 100; i++) {
      Files.writeString(file, "%03d".formatted(i));
      var first = grove.snapshot();
      Files.writeString(file, "%03d".formatted(i + 500));
      var second = grove.snapshot(Optional.of(first));
      assertThat(second.resolve("file")).hasContent("%03d".formatted(i + 500));
      assertThat(TreeSnapshot.difference(first, grove.live).changed().first())
          .containsExactly("file");
      grove.restore(first);
      assertThat(file).hasContent("%03d".formatted(i));
    }
  }

  @Test
  void leavesOutPipesAndSaysSo() throws Exception {
    Grove.run("mkfifo", grove.live.resolve("pipe").toString());
    grove.write("file", "x");
    var target = grove.outside("taken");
    var taken = TreeSnapshot.take(grove.live, target, Optional.empty());
    assertThat(taken.files()).isEqualTo(1);
    assertThat(taken.skipped().first()).containsExactly("pipe: neither file, folder nor link");
    grove.restore(target);
    assertThat(Files.exists(grove.live.resolve("pipe"))).isTrue();
  }

  /// Whoever opens a pipe waits for a writer, and none will come.
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void waitsForNobodyWhoPutsPipesWhereFilesWere() throws Exception {
    var pipe = grove.outside("pipe");
    Grove.run("mkfifo", pipe.toString());
    grove.write("dir/kept", "text");
    var stop = new AtomicBoolean();
    var busy = Thread.ofVirtual().start(() -> exchange(stop, pipe, grove.live.resolve("dir/file")));
    try {
      var previous = Optional.<Path>empty();
      for (var i = 0; i < 500; i++) {
        previous = Optional.of(grove.snapshot(previous));
        assertThat(previous.get().resolve("dir/kept")).hasContent("text");
      }
    } finally {
      stop.set(true);
      busy.join();
    }
  }

  private static void exchange(AtomicBoolean stop, Path pipe, Path file) {
    while (!stop.get()) {
      try {
        Files.deleteIfExists(file);
        Files.writeString(file, "text");
        Files.delete(file);
        Files.createLink(file, pipe);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  @Test
  void survivesFilesThatComeAndGoMeanwhile() throws Exception {
    for (var i = 0; i < 200; i++) {
      grove.write("f" + i, "text");
    }
    var stop = new AtomicBoolean();
    var busy = Thread.ofVirtual().start(() -> churn(stop));
    try {
      for (var i = 0; i < 20; i++) {
        var snapshot = grove.snapshot();
        assertThat(snapshot.resolve("f0")).hasContent("text");
        TreeSnapshot.remove(snapshot);
      }
    } finally {
      stop.set(true);
      busy.join();
    }
  }

  private void churn(AtomicBoolean stop) {
    for (var i = 0; !stop.get(); i++) {
      var file = grove.live.resolve("f" + (1 + i % 199));
      try {
        Files.deleteIfExists(file);
        if (i % 3 == 0) {
          Files.createSymbolicLink(file, Path.of("/etc/passwd"));
        } else if (i % 3 == 1) {
          Files.createDirectory(file);
        } else {
          Files.writeString(file, "text");
        }
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  @Test
  void keepsTheHolesOfALargeFile() throws IOException {
    try (var file =
        FileChannel.open(
            grove.live.resolve("vast"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(java.nio.ByteBuffer.wrap(new byte[] {1}), (64L << 20) - 1);
    }
    var snapshot = grove.snapshot();
    assertThat(Files.mismatch(snapshot.resolve("vast"), grove.live.resolve("vast"))).isEqualTo(-1);
    assertThat(usage(snapshot.resolve("vast"))).isLessThan(4L << 20);
  }

  private static long usage(Path file) throws IOException {
    var process = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    return Long.parseLong(
            new String(
                    process.getInputStream().readAllBytes(),
                    java.nio.charset.StandardCharsets.US_ASCII)
                .strip())
        * 512;
  }

  @Test
  void refusesAPlaceThatIsTaken() throws IOException {
    var target = Files.createDirectory(grove.outside("taken"));
    assertThatThrownBy(() -> TreeSnapshot.take(grove.live, target, Optional.empty()))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("something is there already");
    assertThat(target).exists();
  }

  @Test
  void refusesToHoldItself() {
    assertThatThrownBy(
            () -> TreeSnapshot.take(grove.live, grove.live.resolve("in"), Optional.empty()))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("a copy would hold itself");
  }

  @Test
  void isNotThereUntilItsIndexIs() throws IOException {
    grove.write("dir/file", "x");
    var snapshot = grove.snapshot();
    Files.delete(Index.fileOf(snapshot));
    assertThatThrownBy(() -> grove.restore(snapshot))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("never completed");
    TreeSnapshot.remove(snapshot);
    assertThat(snapshot).doesNotExist();
  }

  @Test
  void refusesAnIndexThatWasCutShort() throws IOException {
    grove.write("file", "x");
    var snapshot = grove.snapshot();
    var index = Index.fileOf(snapshot);
    var whole = Files.readAllBytes(index);
    for (var size = 0; size < whole.length; size++) {
      Files.write(index, java.util.Arrays.copyOf(whole, size));
      assertThatThrownBy(() -> grove.restore(snapshot)).isInstanceOf(Problem.class);
    }
    assertThat(grove.live.resolve("file")).hasContent("x");
  }

  @Test
  void isRemovedWithItsIndexWhileOthersKeepWhatTheyShare() throws Exception {
    grove.write("file", "x");
    grove.settle();
    var first = grove.snapshot();
    var second = grove.snapshot(Optional.of(first));
    TreeSnapshot.remove(first);
    assertThat(first).doesNotExist();
    assertThat(Index.fileOf(first)).doesNotExist();
    Files.delete(grove.live.resolve("file"));
    grove.restore(second);
    assertThat(grove.live.resolve("file")).hasContent("x");
  }
}
