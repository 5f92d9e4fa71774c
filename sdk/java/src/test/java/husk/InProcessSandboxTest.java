package husk;

import husk.contract.SandboxContract;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// What every sandbox does, asked of the library without a daemon.
final class InProcessSandboxTest extends SandboxContract {
  private static SandboxFixture fixture;

  @BeforeAll
  static void openHusk() throws IOException {
    fixture = SandboxFixture.inProcess();
  }

  @AfterAll
  static void closeHusk() {
    fixture.close();
  }

  @Override
  protected husk.spi.Sandbox open() {
    return new ClientSandbox(fixture.husk.sandboxes().create("box"));
  }

  @Override
  protected String folder() {
    return "/workspace";
  }

  @Override
  protected void closeAll() {
    fixture.clean();
  }
}
