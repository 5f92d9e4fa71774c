package husk.gateway;

import husk.HuskOptions;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import husk.testkit.TempHome;
import husk.testkit.TestPython;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Gateways of the product that `scripts/build` makes.
final class Gateways {
  private Gateways() {}

  static KernelGatewayBuilder builder(TempHome home) {
    return KernelGateway.builder().options(options(home));
  }

  static HuskOptions options(TempHome home) {
    return HuskOptions.ofThisProcess()
        .with("HUSK_HOME", home.path().toString())
        .with("HUSK_PYTHON", TestPython.find().toString())
        .with("HUSK_DIST", dist().toString())
        .with(LeakDetector.VARIABLE, LeakDetector.marker())
        .inDirectory(home.path());
  }

  private static Path dist() {
    var named = Optional.ofNullable(System.getenv("HUSK_DIST")).map(Path::of);
    var dist =
        named.orElse(Path.of(System.getProperty("husk.root", "../..")).resolve("app/target/husk"));
    Requirements.need(
        Files.isExecutable(dist.resolve("bin/husk-daemon")),
        "a built Husk in " + dist + "; scripts/build makes one");
    return dist.toAbsolutePath();
  }
}
