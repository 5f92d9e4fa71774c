package husk.gateway;

import husk.model.Image;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Saves pictures in a folder, which is made when the first one comes.
record ImageFiles(Path folder) {

  /// Saves the pictures among the MIME types of one output, and says where.
  List<Path> save(Map<String, Object> data) throws IOException {
    var saved = new ArrayList<Path>();
    for (var entry : data.entrySet()) {
      if (entry.getKey().startsWith("image/") && entry.getValue() instanceof String text) {
        saved.addAll(save(new Image(entry.getKey(), text)));
      }
    }
    return saved;
  }

  private List<Path> save(Image image) throws IOException {
    byte[] bytes;
    try {
      bytes = image.bytes();
    } catch (IllegalArgumentException notAPicture) {
      // It stays among the outputs as it came.
      return List.of();
    }
    Files.createDirectories(folder);
    while (true) {
      var name = UUID.randomUUID().toString().substring(0, 8) + "." + image.extension();
      try {
        return List.of(Files.write(folder.resolve(name), bytes, StandardOpenOption.CREATE_NEW));
      } catch (FileAlreadyExistsException _) {
        // Another name, then.
      }
    }
  }
}
