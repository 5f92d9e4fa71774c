package husk.backends.host;

import husk.backends.Workshop;
import husk.contract.SandboxContract;
import husk.spi.Profile;
import husk.spi.Sandbox;
import husk.spi.SandboxSpec;
import java.io.IOException;

/// The contract, without walls.
final class HostTest extends SandboxContract {
  private final Workshop workshop;
  private String folder = "/";

  HostTest() throws IOException {
    workshop = new Workshop(new Host());
  }

  @Override
  protected Sandbox open() throws Exception {
    var place = workshop.place();
    folder = place.workspace().toString();
    return workshop.start(SandboxSpec.of("host", Profile.PERMISSIVE), place);
  }

  @Override
  protected String folder() {
    return folder;
  }

  @Override
  protected void closeAll() throws Exception {
    workshop.close();
  }
}
