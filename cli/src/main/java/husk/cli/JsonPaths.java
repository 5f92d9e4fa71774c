package husk.cli;

import java.net.URI;
import java.nio.file.Path;

/// Paths as the daemon's JSON has them. Some writers of JSON know a path only as a URI.
final class JsonPaths {
  private JsonPaths() {}

  static Path of(String text) {
    return text.startsWith("file:///") ? Path.of(URI.create(text)) : Path.of(text);
  }
}
