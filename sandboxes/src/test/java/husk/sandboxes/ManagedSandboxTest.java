package husk.sandboxes;

import husk.contract.SandboxContract;
import husk.spi.Sandbox;
import java.io.IOException;

/// The contract, for a sandbox that is managed by name.
final class ManagedSandboxTest extends SandboxContract {
  private final Office office;

  ManagedSandboxTest() throws IOException {
    office = new Office(PoolSettings.NONE);
  }

  @Override
  protected Sandbox open() {
    office.sandboxes.create(SandboxRequest.named("box"), Asker.NOBODY);
    return office.sandboxes.use("box");
  }

  @Override
  protected String folder() {
    return "/workspace";
  }

  @Override
  protected void closeAll() throws Exception {
    office.close();
  }
}
