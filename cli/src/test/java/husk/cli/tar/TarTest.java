package husk.cli.tar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.cli.tar.TarEntry.Kind;
import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakDetector.class)
final class TarTest {
  private TempHome temp;
  private Path target;
  private Path outside;

  @BeforeEach
  void open() throws IOException {
    temp = TempHome.create();
    target = Files.createDirectory(temp.resolve("target"));
    outside = Files.writeString(temp.resolve("outside"), "untouched");
  }

  @AfterEach
  void close() throws IOException {
    assertThat(Files.readString(outside)).isEqualTo("untouched");
    temp.close();
  }

  /// An archive in the making.
  private static final class Archive {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TarWriter writer = new TarWriter(bytes);

    Archive file(String name, String text) throws IOException {
      return put(name, Kind.FILE, 0644, text, "");
    }

    Archive link(String name, String to) throws IOException {
      return put(name, Kind.SYMLINK, 0777, "", to);
    }

    Archive hardLink(String name, String to) throws IOException {
      return put(name, Kind.HARD_LINK, 0644, "", to);
    }

    Archive folder(String name, int mode) throws IOException {
      return put(name, Kind.DIRECTORY, mode, "", "");
    }

    Archive put(String name, Kind kind, int mode, String text, String to) throws IOException {
      byte[] contents = text.getBytes(StandardCharsets.UTF_8);
      writer.put(new TarEntry(name, kind, mode, contents.length, 1_700_000_000, to));
      if (contents.length > 0) {
        writer.write(contents, contents.length);
      }
      return this;
    }

    byte[] whole() throws IOException {
      writer.finish();
      return bytes.toByteArray();
    }
  }

  private long extract(byte[] archive) throws IOException {
    return new Extraction(target, false).run(new TarReader(new ByteArrayInputStream(archive)));
  }

  private void refused(Archive archive) throws IOException {
    byte[] bytes = archive.whole();
    assertThatThrownBy(() -> extract(bytes))
        .isInstanceOfSatisfying(
            Problem.class, e -> assertThat(e.code()).isEqualTo(Problem.Code.FORBIDDEN));
  }

  @Test
  void foldersFilesLinksAndModesComeOutAsTheyWentIn() throws IOException {
    var from = Files.createDirectories(temp.resolve("from/sub/dëep"));
    Files.writeString(from.resolve("a".repeat(150)), "long name");
    Files.writeString(from.resolve("run"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(
        from.resolve("run"), PosixFilePermissions.fromString("r-xr-x--x"));
    Files.createSymbolicLink(from.resolve("up"), Path.of("../here"));
    Files.createDirectory(temp.resolve("from/empty"));
    Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("r-xr-xr-x"));
    var archive = new FolderArchive(temp.resolve("from"));
    try (var in = Piped.of(archive)) {
      assertThat(new Extraction(target, false).run(new TarReader(in))).isEqualTo(19);
    }
    assertThat(archive.bytes()).isEqualTo(19);
    var to = target.resolve("sub/dëep");
    assertThat(to.resolve("a".repeat(150))).hasContent("long name");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve("run"))))
        .isEqualTo("r-xr-x--x");
    assertThat(Files.readSymbolicLink(to.resolve("up"))).isEqualTo(Path.of("../here"));
    assertThat(target.resolve("empty")).isEmptyDirectory();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to)))
        .isEqualTo("r-xr-xr-x");
    for (var folder : new Path[] {from, to}) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gnu", "pax", "ustar", "oldgnu"})
  void archivesOfGnuTarAreRead(String format) throws Exception {
    var from = Files.createDirectories(temp.resolve("from/" + "d".repeat(60)));
    Files.writeString(from.resolve("x".repeat(90)), "one");
    if (!format.equals("ustar")) {
      Files.createLink(from.resolve("same"), from.resolve("x".repeat(90)));
      Files.writeString(from.resolve("é".repeat(100)), "two");
    }
    var tar =
        new ProcessBuilder("tar", "--format=" + format, "-cf", "-", ".")
            .directory(temp.resolve("from").toFile())
            .start();
    extract(tar.getInputStream().readAllBytes());
    assertThat(tar.waitFor()).isZero();
    var to = target.resolve("d".repeat(60));
    assertThat(to.resolve("x".repeat(90))).hasContent("one");
    if (!format.equals("ustar")) {
      assertThat(to.resolve("same")).hasContent("one");
      assertThat(to.resolve("é".repeat(100))).hasContent("two");
    }
  }

  @Test
  void gnuTarReadsOurs() throws Exception {
    var archive =
        new Archive().folder("d/", 0755).file("d/" + "ü".repeat(120), "text").link("l", "d");
    var file = Files.write(temp.resolve("a.tar"), archive.whole());
    var tar = new ProcessBuilder("tar", "-xf", file.toString()).directory(target.toFile()).start();
    assertThat(tar.waitFor()).isZero();
    assertThat(target.resolve("l/" + "ü".repeat(120))).hasContent("text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/x", "../outside", "a/../../outside", "..", "a/.."})
  void namesThatLeadOutAreRefused(String name) throws IOException {
    refused(new Archive().file(name, "evil"));
    refused(new Archive().folder(name, 0777));
  }

  @ParameterizedTest
  @CsvSource({
    "l,/etc/passwd",
    "l,../outside",
    "d/l,../../outside",
    "l,x/../../outside",
    "l,d/..",
    "l,..",
  })
  void linksThatLeadOutAreRefused(String name, String to) throws IOException {
    refused(new Archive().link(name, to));
  }

  @Test
  void aLinkChainThatWouldClimbIsRefused() throws IOException {
    refused(new Archive().link("a", ".").link("b", "a/a/.."));
  }

  @Test
  void nothingIsWrittenThroughALink() throws IOException {
    var archive = new Archive().folder("d", 0755).link("l", "d").file("l/x", "evil").whole();
    assertThatThrownBy(() -> extract(archive)).hasMessageContaining("is in the way");
    assertThat(target.resolve("d")).isEmptyDirectory();
  }

  @Test
  void nothingIsWrittenThroughALinkThatWasThereBefore() throws IOException {
    Files.createSymbolicLink(target.resolve("mine"), temp.path());
    var archive = new Archive().file("mine/outside", "evil").whole();
    assertThatThrownBy(() -> extract(archive)).hasMessageContaining("is in the way");
  }

  @Test
  void aFileReplacesALinkAndNotWhatItPointsTo() throws IOException {
    Files.createSymbolicLink(target.resolve("f"), outside);
    extract(new Archive().file("f", "new").whole());
    assertThat(Files.isSymbolicLink(target.resolve("f"))).isFalse();
    assertThat(target.resolve("f")).hasContent("new");
  }

  @Test
  void hardLinksStayInside() throws IOException {
    refused(new Archive().hardLink("h", "../outside"));
    refused(new Archive().hardLink("h", outside.toString()));
    Files.createSymbolicLink(target.resolve("out"), temp.path());
    refused(new Archive().hardLink("h", "out/outside"));
    Files.delete(target.resolve("out"));
    Files.createSymbolicLink(target.resolve("out"), outside);
    refused(new Archive().hardLink("h", "out"));
    extract(new Archive().file("a", "1").hardLink("b", "a").file("b", "2").whole());
    assertThat(target.resolve("a")).hasContent("1");
    assertThat(target.resolve("b")).hasContent("2");
  }

  @Test
  void devicesAreRefusedAndNobodyBecomesAnotherUser() throws IOException {
    byte[] device = new Archive().file("sda", "").whole();
    device[156] = '4';
    sign(device);
    assertThatThrownBy(() -> extract(device)).hasMessageContaining("no file, folder or link");
    extract(new Archive().put("su", Kind.FILE, 06755, "x", "").whole());
    assertThat(Files.getAttribute(target.resolve("su"), "unix:mode")).isEqualTo(0100755);
  }

  private static void sign(byte[] archive) {
    var sum = Long.toOctalString(TarFields.checksum(archive));
    var field = ("0".repeat(6 - sum.length()) + sum + "\0 ").getBytes(StandardCharsets.UTF_8);
    System.arraycopy(field, 0, archive, TarFields.CHECKSUM, 8);
  }

  @Test
  void anArchiveThatIsCutIsNeverTakenForWhole() throws IOException {
    byte[] whole = new Archive().file("a", "x".repeat(2000)).file("b", "y").whole();
    for (int length : new int[] {100, 512, 1000, 2560, 3000}) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> extract(cut)).as("%s", length).isInstanceOf(IOException.class);
    }
  }

  @Test
  void randomBytesAndBrokenArchivesAreRefusedWithoutHarm() throws IOException {
    var random = new Random(7);
    byte[] good = new Archive().file("a", "x").link("l", "a").folder("d", 0755).whole();
    for (int i = 0; i < 3000; i++) {
      byte[] bad = good.clone();
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      sign(bad);
      try {
        extract(bad);
      } catch (IOException | Problem | java.nio.file.InvalidPathException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
      wipe();
    }
  }

  private void wipe() throws IOException {
    try (var found = Files.walk(target)) {
      for (var path : found.sorted(java.util.Comparator.reverseOrder()).toList()) {
        if (!path.equals(target)) {
          Files.delete(path);
        }
      }
    }
  }

  @Test
  void theWritersFailureIsTheReaders() throws IOException {
    try (var in =
        Piped.of(
            out -> {
              out.write(1);
              throw new IOException("half way");
            })) {
      assertThatThrownBy(in::readAllBytes).hasMessage("half way");
    }
  }

  @Test
  void sizesBeyondOctalAreKept() throws IOException {
    var bytes = new ByteArrayOutputStream();
    new TarWriter(bytes).put(new TarEntry("big", Kind.FILE, 0644, 1L << 40, 0, ""));
    var entry = new TarReader(new ByteArrayInputStream(bytes.toByteArray())).next();
    assertThat(entry.orElseThrow().size()).isEqualTo(1L << 40);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807", "9223372036854775800", "4294967306", "0", "-1"})
  void aRecordWhoseLengthIsALieIsRefused(String length) throws IOException {
    byte[] archive = new Archive().file("x".repeat(150), "text").whole();
    byte[] records = ("8 a=bcd\n" + length + " path=y\n").getBytes(StandardCharsets.UTF_8);
    java.util.Arrays.fill(archive, 512, 1024, (byte) 0);
    System.arraycopy(records, 0, archive, 512, records.length);
    assertThatThrownBy(() -> extract(archive)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807", "9223372036854775296", "-1", "1e3"})
  void aSizeThatNothingHasIsRefused(String size) throws IOException {
    var name = "n".repeat(150);
    byte[] archive = new Archive().file(name, "text").whole();
    var path = " path=" + name + "\n";
    var records = (path.length() + 3) + path + (size.length() + 9) + " size=" + size + "\n";
    byte[] bytes = records.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, archive, 512, bytes.length);
    java.util.Arrays.fill(archive, 124, 136, (byte) 0);
    System.arraycopy(
        Integer.toOctalString(bytes.length).getBytes(StandardCharsets.UTF_8), 0, archive, 124, 3);
    sign(archive);
    assertThatThrownBy(() -> extract(archive))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(size);
  }

  @Test
  void aFileOfZerosIsAHole() throws Exception {
    int size = 16 << 20;
    extract(
        new Archive()
            .file("holes", "\0".repeat(size) + "end")
            .file("last", "\0".repeat(size))
            .whole());
    for (var name : new String[] {"holes", "last"}) {
      var stat = new ProcessBuilder("stat", "-c", "%b", target.resolve(name).toString()).start();
      var blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Long.parseLong(blocks.strip()) * 512).as(name).isLessThan(size / 16);
      assertThat(stat.waitFor()).isZero();
    }
    assertThat(target.resolve("last")).hasSize(size);
    assertThat(Files.readString(target.resolve("holes"))).hasSize(size + 3).endsWith("\0end");
  }
}
