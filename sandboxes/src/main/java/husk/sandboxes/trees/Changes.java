package husk.sandboxes.trees;

/// What became of a folder's entries.
///
/// @param added there now, and not before
/// @param changed of another kind, content, mode or owner now
/// @param removed no longer there
public record Changes(PathList added, PathList changed, PathList removed) {

  public boolean isEmpty() {
    return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
  }

  /// While they are found.
  static final class Collector {
    final PathCollector added = new PathCollector();
    final PathCollector changed = new PathCollector();
    final PathCollector removed = new PathCollector();

    Changes changes() {
      return new Changes(added.list(), changed.list(), removed.list());
    }
  }
}
