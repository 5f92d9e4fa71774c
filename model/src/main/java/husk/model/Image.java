package husk.model;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// A picture drawn by an execution.
///
/// @param mime for example `image/png`
/// @param data base64, or the text itself for SVG
public record Image(String mime, String data) {

  /// The picture as a file would hold it.
  ///
  /// @throws IllegalArgumentException if the kernel sent something that is not base64
  public byte[] bytes() {
    return mime.startsWith("image/svg")
        ? data.getBytes(StandardCharsets.UTF_8)
        : Base64.getMimeDecoder().decode(data);
  }

  /// What the name of such a file ends in, without the dot: `png`, `jpg`, `gif`, `svg`, `webp` and
  /// so on.
  public String extension() {
    var kind = mime.substring(mime.indexOf('/') + 1).split("[+;]", 2)[0].strip();
    return switch (kind) {
      case "jpeg" -> "jpg";
      case String known when known.matches("[a-z0-9]{1,8}") -> known;
      default -> "img";
    };
  }
}
