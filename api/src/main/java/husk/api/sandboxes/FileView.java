package husk.api.sandboxes;

import husk.spi.FileEntry;
import java.util.LinkedHashMap;
import java.util.Map;

/// How files are shown to programs.
final class FileView {
  private FileView() {}

  /// @param path where it was asked for, if it does not say its name
  static Map<String, Object> of(FileEntry entry, String path) {
    var view = new LinkedHashMap<String, Object>();
    view.put("name", path.isEmpty() ? entry.name() : path.substring(path.lastIndexOf('/') + 1));
    view.put("type", entry.kind().wireName());
    view.put("size", entry.size());
    view.put("mode", Modes.text(entry.mode()));
    view.put("modified_at", entry.modifiedAt());
    view.put("target", entry.target());
    return view;
  }
}
