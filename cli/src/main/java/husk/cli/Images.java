package husk.cli;

import husk.local.JsonPeek;
import husk.local.JsonText;
import husk.model.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/// Saves the images of a result as files, named after its execution.
final class Images {
  /// Where images shown at a terminal go: a folder of their own in the current one.
  static final String USUAL = "husk-images";

  private static final int SHORT_ID = 8;

  private final Path folder;
  private final Terminal terminal;

  Images(Arguments arguments, Terminal terminal) {
    this.terminal = terminal;
    this.folder = Path.of(Creation.absolute(arguments.find("images").orElse(USUAL), terminal));
  }

  /// Saves them, names them on standard error, and gives the result with paths in their place.
  String save(String result) {
    String id = JsonPeek.at(result, "execution_id").orElse("image");
    String changed = result;
    for (int i = 0; ; i++) {
      var data = JsonPeek.at(result, "images", String.valueOf(i), "data");
      if (data.isEmpty()) {
        return changed;
      }
      String mime = JsonPeek.at(result, "images", String.valueOf(i), "mime").orElse("");
      String name = id.substring(0, Math.min(SHORT_ID, id.length())) + "-" + (i + 1);
      var file = write(folder.resolve(name + "." + ending(mime)), data.get(), mime);
      terminal.printError("image: " + file + "\n");
      String path = JsonText.quoted(file.toString());
      String quoted = JsonText.quoted(data.get());
      changed = changed.replace("\"data\": " + quoted, "\"path\": " + path).replace(quoted, path);
    }
  }

  private Path write(Path file, String data, String mime) {
    try {
      Files.createDirectories(folder);
      byte[] bytes =
          mime.contains("svg")
              ? data.getBytes(StandardCharsets.UTF_8)
              : Base64.getMimeDecoder().decode(data);
      return Files.write(file, bytes);
    } catch (IOException | IllegalArgumentException e) {
      throw new Problem(
              Problem.Code.INVALID_REQUEST,
              "the image cannot be saved as `" + file + "`: " + e.getMessage(),
              "name another folder: `--images FOLDER`")
          .causedBy(e);
    }
  }

  private static String ending(String mime) {
    return switch (mime) {
      case "image/jpeg" -> "jpg";
      case "image/svg+xml" -> "svg";
      case "image/gif" -> "gif";
      case "image/webp" -> "webp";
      default -> "png";
    };
  }
}
