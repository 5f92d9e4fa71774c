package husk.gateway;

import husk.HuskOptions;
import husk.kernels.PrivateFiles;
import husk.local.Locations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A home for one gateway, with nothing in it but a way to the Pythons that the user has for Husk.
///
/// @param path of the home; only this user can enter it
record PrivateHome(Path path) {

  static PrivateHome create(HuskOptions options) {
    try {
      var home = new PrivateHome(Files.createTempDirectory("husk-gateway-"));
      var pythons = Locations.of(options.environment()).home().resolve("python");
      PrivateFiles.directory(pythons);
      Files.createSymbolicLink(home.path.resolve("python"), pythons);
      return home;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path runtime() {
    return path.resolve("run");
  }

  /// Removes it; the user's Pythons stay.
  void delete() {
    PrivateFiles.delete(path);
  }
}
