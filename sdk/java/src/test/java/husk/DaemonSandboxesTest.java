package husk;

import java.io.IOException;

/// Sandboxes by name, through the daemon's HTTP.
final class DaemonSandboxesTest extends SandboxesContract {
  @Override
  SandboxFixture open() throws IOException {
    return SandboxFixture.ofDaemon();
  }
}
