package husk.sandboxes.trees;

import java.util.ArrayList;
import java.util.List;

/// Grows into a [PathList].
final class PathCollector {
  private final List<String> first = new ArrayList<>();
  private int count;

  void add(String path) {
    count++;
    if (first.size() < PathList.LISTED) {
      first.add(path);
    }
  }

  /// An entry of a snapshot and all that is in it.
  void addAll(String path, Entry entry) {
    if (entry instanceof Entry.Folder(var attributes, var children)) {
      add(path + "/");
      children.forEach((key, child) -> addAll(path + "/" + Names.shown(key), child));
    } else if (!(entry instanceof Entry.Skipped)) {
      add(path);
    }
  }

  PathList list() {
    return new PathList(count, first.stream().sorted().toList());
  }
}
