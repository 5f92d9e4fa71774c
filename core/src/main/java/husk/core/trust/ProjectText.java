package husk.core.trust;

import husk.model.Problem;
import husk.sandboxes.trees.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A project's file, read once: what is understood is what was hashed, whatever becomes of the file
/// meanwhile.
///
/// @param location its folder without links, and its name in it. A link is not followed here: trust
///   in a file elsewhere is no trust in what this folder says
/// @param text what it says
/// @param sha256 of its bytes
public record ProjectText(Path location, String text, String sha256) {
  /// What a project says of itself, the first that says anything counting.
  public static final List<String> NAMES = List.of("husk.toml", "agentkernel.toml");

  private static final int LARGEST = 256 << 10;

  /// The file at a path; empty when there is none, or nothing in it: while a sandbox runs, an empty
  /// file keeps its place.
  ///
  /// What is there but cannot be read is refused, for it may restrict something.
  public static Optional<ProjectText> find(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        ? read(file).filter(found -> !found.text.isEmpty())
        : Optional.empty();
  }

  /// The file at a path, which must be there.
  public static ProjectText require(Path file) {
    return read(file).orElseThrow(() -> unreadable(file, "there is no such file"));
  }

  private static Optional<ProjectText> read(Path file) {
    try {
      var bytes = WholeFile.read(file, LARGEST);
      return Optional.of(new ProjectText(location(file), decoded(bytes), digest(bytes)));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (CharacterCodingException e) {
      throw unreadable(file, "it is not UTF-8").causedBy(e);
    } catch (IOException e) {
      throw unreadable(file, String.valueOf(e.getMessage())).causedBy(e);
    }
  }

  /// Where a file is remembered, whether or not it is there.
  public static Path location(Path file) {
    var absolute = file.toAbsolutePath();
    var name = Objects.requireNonNullElse(absolute.getFileName(), Path.of(""));
    return Optional.ofNullable(absolute.getParent())
        .map(ProjectText::real)
        .orElse(Path.of("/"))
        .resolve(name);
  }

  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException missing) {
      return folder.normalize();
    }
  }

  private static String decoded(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static Problem unreadable(Path file, String why) {
    return new Problem(
        Problem.Code.INVALID_SETTING,
        "cannot read `" + file + "`: " + why,
        "what it restricts would not be restricted: mend it, or take it away");
  }
}
