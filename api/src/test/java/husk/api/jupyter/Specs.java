package husk.api.jupyter;

import husk.testkit.TestPython;
import husk.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Writes kernelspecs.
final class Specs {
  private Specs() {}

  static void ipykernel(Path folder) {
    write(
        folder,
        Map.of(
            "argv",
            List.of(
                TestPython.find().toString(),
                "-m",
                "ipykernel_launcher",
                "-f",
                "{connection_file}"),
            "display_name",
            "Stock",
            "language",
            "python",
            "env",
            Map.of("SECRET", "hidden")));
  }

  static void write(Path folder, Map<String, Object> spec) {
    try {
      Files.createDirectories(folder);
      Files.write(folder.resolve("kernel.json"), Json.bytes(spec));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
