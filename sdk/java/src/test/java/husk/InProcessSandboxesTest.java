package husk;

import java.io.IOException;

/// Sandboxes by name, without a daemon.
final class InProcessSandboxesTest extends SandboxesContract {
  @Override
  SandboxFixture open() throws IOException {
    return SandboxFixture.inProcess();
  }
}
