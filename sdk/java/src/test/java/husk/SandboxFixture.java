package husk;

import husk.contract.GuestAgent;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import husk.testkit.TestPython;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/// A Husk on a home of its own, for tests of sandboxes. It is opened once for a class.
final class SandboxFixture implements AutoCloseable {
  private final TempHome home;
  private final HuskOptions options;
  final Husk husk;

  private SandboxFixture(Path dist, Function<HuskOptions, Husk> open) throws IOException {
    GuestAgent.program();
    this.home = TempHome.create();
    Files.writeString(home.resolve("husk.toml"), "sandbox-pool = 0\n");
    this.options =
        HuskOptions.ofThisProcess()
            .with("HUSK_HOME", home.path().toString())
            .with("HUSK_RUNTIME_DIR", home.resolve("run").toString())
            .with("HUSK_PYTHON", TestPython.find().toString())
            .with("HUSK_DIST", dist.toString())
            .with(LeakDetector.VARIABLE, LeakDetector.marker())
            .inDirectory(home.path());
    this.husk = open.apply(options);
    // What the first sandbox brings to life, and stays with the Husk, is no test's leftover.
    husk.sandboxes().create(SandboxOptions.unnamed()).close();
  }

  static SandboxFixture inProcess() throws IOException {
    var sources = Path.of(System.getProperty("husk.root", "../.."));
    return new SandboxFixture(sources, Husk::inProcess);
  }

  static SandboxFixture ofDaemon() throws IOException {
    return new SandboxFixture(TestDaemon.dist(), Husk::open);
  }

  Path folder() {
    return home.path();
  }

  /// Removes every sandbox.
  void clean() {
    husk.sandboxes().list().forEach(sandbox -> husk.sandboxes().remove(sandbox.name()));
  }

  @Override
  public void close() {
    clean();
    husk.close();
    new TestDaemon(options).stop();
    try {
      home.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
