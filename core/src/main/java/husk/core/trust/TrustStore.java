package husk.core.trust;

import husk.kernels.PrivateFiles;
import husk.model.Problem;
import husk.wire.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Which contents of projects' files were trusted: one for each place, the latest. An earlier one
/// that comes back is as untrusted as any other.
///
/// It lies in Husk's home, which no sandbox sees, a file for each place that only its owner reads.
public final class TrustStore {
  private static final String END = ".json";

  private final Path folder;

  /// @param home where Husk keeps what lasts
  public TrustStore(Path home) {
    this.folder = home.resolve("trusted");
  }

  public boolean accepts(ProjectText content) {
    return find(content.location()).filter(trusted -> trusted.is(content)).isPresent();
  }

  /// What was trusted at a place, whatever is there now.
  public Optional<Trusted> find(Path location) {
    return read(record(location)).filter(trusted -> trusted.location().equals(location));
  }

  public void trust(ProjectText content) {
    PrivateFiles.directory(folder);
    var trusted =
        new Trusted(content.location().toString(), content.sha256(), Instant.now(), content.text());
    PrivateFiles.write(record(content.location()), Json.pretty(trusted));
  }

  /// False when nothing was trusted there.
  public boolean forget(Path location) {
    boolean known = find(location).isPresent();
    PrivateFiles.delete(record(location));
    return known;
  }

  /// Everything that is trusted, by path.
  public List<Trusted> all() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var records = Files.list(folder)) {
      return records
          .filter(file -> file.toString().endsWith(END))
          .flatMap(file -> read(file).stream())
          .sorted(Comparator.comparing(Trusted::path))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /// What cannot be read is no trust.
  private static Optional<Trusted> read(Path record) {
    try {
      return Files.isRegularFile(record)
          ? Optional.of(Json.read(Files.readAllBytes(record), Trusted.class))
          : Optional.empty();
    } catch (IOException | Problem unreadable) {
      return Optional.empty();
    }
  }

  /// A path may hold anything, and be longer than a file's name.
  private Path record(Path location) {
    try {
      var digest =
          MessageDigest.getInstance("SHA-256")
              .digest(location.toString().getBytes(StandardCharsets.UTF_8));
      return folder.resolve(HexFormat.of().formatHex(digest) + END);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
