package husk.store;

import java.nio.file.Path;
import java.util.Optional;

/// What is done about a registry that is damaged or gone: it is made anew from what is known
/// elsewhere.
public interface Rescue {

  /// For whom a damaged registry is a problem and nothing else.
  Rescue NONE =
      new Rescue() {
        @Override
        public boolean setsAside() {
          return false;
        }

        @Override
        public boolean owns(Path file) {
          return false;
        }

        @Override
        public void rebuild(Registry empty, Optional<Path> damaged) {}
      };

  /// Whether a damaged file may be moved out of the way.
  default boolean setsAside() {
    return true;
  }

  /// Whether a file that is no database at all was one of ours nevertheless, and may be moved.
  boolean owns(Path file);

  /// Fills a registry that was made just now, in the same transaction.
  ///
  /// @param damaged what was there before, under its new name; empty when nothing was
  void rebuild(Registry empty, Optional<Path> damaged);
}
