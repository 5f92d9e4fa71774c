package husk.core;

import husk.kernels.PrivateFiles;
import husk.kernels.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What takes its time right now, in a file: whoever waits for an answer looks there, and can say
/// what is going on instead of sitting before a silent terminal.
///
/// What is over soon is never written. Of several the last that began is there.
final class Doings {
  private static final Duration SOON = Duration.ofMillis(700);

  private final Path file;
  private final List<Doing> present = new ArrayList<>();

  /// @param file where it is said; what a process that was killed left there is no longer true
  Doings(Path file) {
    this.file = file;
    PrivateFiles.delete(file);
  }

  /// Something that goes on until it is closed.
  final class Doing implements AutoCloseable {
    private String text;
    private boolean told;

    private Doing(String text) {
      this.text = text;
    }

    /// It has come to this.
    void now(String step) {
      synchronized (Doings.this) {
        text = step;
        if (told) {
          tell();
        }
      }
    }

    @Override
    public void close() {
      synchronized (Doings.this) {
        present.remove(this);
        if (told) {
          tell();
        }
      }
    }

    private void tellLater() {
      Threads.sleep(SOON.toMillis());
      synchronized (Doings.this) {
        told = present.contains(this);
        if (told) {
          tell();
        }
      }
    }
  }

  synchronized Doing begin(String text) {
    var doing = new Doing(text);
    present.add(doing);
    Threads.start("husk-doing", doing::tellLater);
    return doing;
  }

  /// That it cannot be said keeps nobody from doing it.
  private void tell() {
    try {
      var last = present.reversed().stream().filter(doing -> doing.told).findFirst();
      if (last.isPresent()) {
        PrivateFiles.write(file, last.get().text + "\n");
      } else {
        PrivateFiles.delete(file);
      }
    } catch (RuntimeException unwritten) {
      // the disk may be full, or the folder gone
    }
  }
}
