package husk.sandboxes;

import husk.store.NoteFiles;
import husk.store.SandboxRow;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the registry says of each sandbox, once more, beside its files: should the registry be
/// lost, they are found again.
///
/// They go with the sandbox's folder, and hold nothing that the registry does not.
public final class SandboxNotes {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
  private static final String NAME = "row.json";

  /// @param registry the file of the registry it is in: others may have theirs in the same folder
  record Note(Path registry, SandboxRow row) {}

  private final SandboxPlaces places;

  public SandboxNotes(SandboxPlaces places) {
    this.places = places;
  }

  void write(SandboxRow row) {
    NoteFiles.write(
        places.of(row.id()).files().resolve(NAME),
        () -> Json.text(new Note(places.registry(), row)));
  }

  /// Those of this registry.
  public Stream<SandboxRow> all() {
    return ids().stream().flatMap(id -> read(id).stream()).filter(this::ours).map(Note::row);
  }

  private boolean ours(Note note) {
    return note.registry().equals(places.registry());
  }

  /// Folders of sandboxes of which nothing can be told, not even whose they are.
  public Stream<String> unreadable() {
    return ids().stream().filter(id -> read(id).isEmpty());
  }

  Optional<SandboxRow> find(String id) {
    return read(id).filter(this::ours).map(Note::row);
  }

  /// Ends whatever runs in a sandbox of which nothing is known; its files stay.
  public void end(String id, Backends backends) {
    Leftovers.end(places.of(id), backends);
  }

  /// Where the files of a sandbox are.
  public Path files(String id) {
    return places.of(id).files();
  }

  private Collection<String> ids() {
    var found = new TreeSet<String>();
    for (var folder : new Path[] {places.files(), places.sockets()}) {
      try (var entries = Files.list(folder)) {
        entries
            .map(path -> String.valueOf(path.getFileName()))
            .filter(ID.asMatchPredicate())
            .forEach(found::add);
      } catch (IOException none) {
        // there are none yet
      }
    }
    return found;
  }

  private Optional<Note> read(String id) {
    NoteFiles.settle();
    try {
      var text = Files.readString(places.of(id).files().resolve(NAME));
      return Optional.of(Json.read(text, Note.class)).filter(note -> note.row().id().equals(id));
    } catch (IOException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }
}
