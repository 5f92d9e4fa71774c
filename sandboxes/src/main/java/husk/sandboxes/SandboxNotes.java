package husk.sandboxes;

import husk.store.SandboxRow;
import husk.wire.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the registry says of each sandbox, once more, beside its files: should the registry be
/// lost, they are found again.
///
/// They go with the sandbox's folder, and hold nothing that the registry does not.
public final class SandboxNotes {
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
  private static final String NAME = "row.json";

  /// @param registry the file of the registry it is in: others may have theirs in the same folder
  record Note(Path registry, SandboxRow row) {}

  private final SandboxPlaces places;

  public SandboxNotes(SandboxPlaces places) {
    this.places = places;
  }

  /// Nothing depends on it but what follows a loss: that it cannot be written keeps nobody.
  void write(SandboxRow row) {
    var folder = places.of(row.id()).files();
    if (!Files.isDirectory(folder)) {
      return;
    }
    try {
      replace(folder.resolve(NAME), Json.text(new Note(places.registry(), row)));
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot note what sandbox " + row.id() + " is: " + e);
    }
  }

  private static void replace(Path file, String text) throws IOException {
    var draft = Files.createTempFile(file.getParent(), "row", ".new", ownersAlone());
    try {
      try (var channel = Files.newByteChannel(draft, Set.of(StandardOpenOption.WRITE))) {
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static java.nio.file.attribute.FileAttribute<?> ownersAlone() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
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
    try {
      var text = Files.readString(places.of(id).files().resolve(NAME));
      return Optional.of(Json.read(text, Note.class)).filter(note -> note.row().id().equals(id));
    } catch (IOException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }
}
