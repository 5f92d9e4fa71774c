package husk.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.GuestAgent;
import husk.contract.Ran;
import husk.model.Ids;
import husk.spi.Profile;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A file system that cannot map owners, as the root of a container is.
@ExtendWith(LeakDetector.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class OverlayTest {
  private final TempHome home;

  OverlayTest() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void close() throws Exception {
    new ProcessBuilder("umount", "-l", home.resolve("merged").toString()).start().waitFor();
    home.close();
  }

  private boolean mounted() throws Exception {
    for (var folder : List.of("lower", "upper", "work", "merged")) {
      Files.createDirectory(home.resolve(folder));
    }
    var options =
        "lowerdir=%s,upperdir=%s,workdir=%s"
            .formatted(home.resolve("lower"), home.resolve("upper"), home.resolve("work"));
    return new ProcessBuilder(
                "mount", "-t", "overlay", "none", "-o", options, home.resolve("merged").toString())
            .start()
            .waitFor()
        == 0;
  }

  private SandboxPlace place(Path root) throws IOException {
    var place =
        new SandboxPlace(Ids.fresh(), root.resolve("f"), root.resolve("s"), GuestAgent.program());
    for (var folder :
        List.of(place.files(), place.workspace(), place.home(), place.sockets(), place.proxy())) {
      Files.createDirectories(folder);
    }
    return place;
  }

  @Test
  void sandboxOwnsItsWorkspaceAllTheSame() throws Exception {
    Requirements.need(mounted(), "the right to mount an overlay");
    var place = place(home.resolve("merged"));
    Files.writeString(place.workspace().resolve("before"), "x");
    var sandbox = new Bubblewrap().start(SandboxSpec.of("bubblewrap", Profile.MODERATE), place);
    try {
      var ran = Ran.script(sandbox, "echo y > /workspace/f; echo z > ~/g; cat before f; id -u");
      assertThat(ran.out()).as(ran.err()).isEqualTo("xy\n1000\n");
    } finally {
      sandbox.end();
    }
    assertThat(place.workspace().resolve("f")).hasContent("y\n");
  }
}
