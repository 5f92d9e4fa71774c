package husk.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NoteFilesTest {
  @TempDir Path folder;

  @Test
  void lastTextIsInTheFileForItsOwnerAloneAndNoDraftIsLeft() throws Exception {
    var file = folder.resolve("row.json");
    for (int i = 0; i < 200; i++) {
      var text = "text " + i;
      NoteFiles.write(file, () -> text);
    }
    NoteFiles.settle();

    assertThat(file).hasContent("text 199");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
  }

  @Test
  void folderThatIsGoneIsNotMadeAgain() throws Exception {
    var kernel = Files.createDirectory(folder.resolve("k"));
    Files.delete(kernel);
    NoteFiles.write(kernel.resolve("row.json"), () -> "text");
    NoteFiles.settle();

    assertThat(kernel).doesNotExist();
  }

  @Test
  void textThatCannotBeMadeKeepsNoOtherFromBeingWritten() {
    NoteFiles.write(
        folder.resolve("a"),
        () -> {
          throw new IllegalStateException("on purpose");
        });
    NoteFiles.write(folder.resolve("b"), () -> "text");
    NoteFiles.settle();

    assertThat(folder.resolve("a")).doesNotExist();
    assertThat(folder.resolve("b")).hasContent("text");
  }
}
