package husk.core;

import husk.kernels.PrivateFiles;
import husk.model.KernelRecord;
import husk.store.NoteFiles;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What the registry says of each kernel, once more, in the kernel's own folder: should the
/// registry be lost, the kernels that live are found again, with their names.
///
/// They go with the kernel, or with the login, and hold nothing that the registry does not.
final class KernelNotes {
  private static final System.Logger LOG = System.getLogger("husk.core");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
  private static final String ROW = "row.json";
  private static final String LAUNCH = "launch.json";

  /// @param registry the file of the registry it is in: others may share the folder
  record Note(Path registry, KernelRecord record) {}

  private final Places places;

  KernelNotes(Places places) {
    this.places = places;
  }

  /// Notes a kernel that was just claimed. Its folder is made now: who destroys the kernel removes
  /// it, and nothing is noted any more.
  void begin(KernelRecord record, String launchJson) {
    try {
      var folder = PrivateFiles.directory(places.kernel(record.kernelId()));
      NoteFiles.write(folder.resolve(LAUNCH), () -> launchJson);
      write(record);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "cannot note how a kernel is started: " + e);
    }
  }

  void write(KernelRecord record) {
    NoteFiles.write(
        places.kernel(record.kernelId()).resolve(ROW),
        () -> Json.text(new Note(places.registry(), record)));
  }

  /// How a kernel is started.
  Optional<String> launch(String kernelId) {
    NoteFiles.settle();
    try {
      return Optional.of(Files.readString(places.kernel(kernelId).resolve(LAUNCH)));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /// Kernels that have a folder, whosever they are.
  List<String> ids() {
    try (var entries = Files.list(places.kernels())) {
      return entries
          .map(path -> String.valueOf(path.getFileName()))
          .filter(ID.asMatchPredicate())
          .sorted()
          .toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  boolean ours(Note note) {
    return note.registry().equals(places.registry());
  }

  /// Whether something was noted of a kernel, readable or not.
  boolean exists(String kernelId) {
    NoteFiles.settle();
    return Files.exists(places.kernel(kernelId).resolve(ROW));
  }

  Optional<Note> read(String kernelId) {
    NoteFiles.settle();
    try {
      var text = Files.readString(places.kernel(kernelId).resolve(ROW));
      return Optional.of(Json.read(text, Note.class))
          .filter(note -> note.record().kernelId().equals(kernelId));
    } catch (IOException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }
}
