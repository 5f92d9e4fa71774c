package husk.backends.bubblewrap;

import husk.backends.Workshop;
import husk.contract.SandboxContract;
import husk.spi.Profile;
import husk.spi.Sandbox;
import husk.spi.SandboxSpec;
import java.io.IOException;

/// The contract, behind walls.
final class BubblewrapTest extends SandboxContract {
  private final Workshop workshop;

  BubblewrapTest() throws IOException {
    workshop = new Workshop(new Bubblewrap());
  }

  @Override
  protected Sandbox open() throws Exception {
    return workshop.start(SandboxSpec.of("bubblewrap", Profile.MODERATE));
  }

  @Override
  protected String folder() {
    return "/workspace";
  }

  @Override
  protected void closeAll() throws Exception {
    workshop.close();
  }
}
