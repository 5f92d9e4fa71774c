package husk.contract;

import husk.testkit.Requirements;
import java.nio.file.Files;
import java.nio.file.Path;

/// The guest agent as the build leaves it among the sources.
public final class GuestAgent {
  private GuestAgent() {}

  /// Its program; without it a test is skipped, or fails if strict.
  public static Path program() {
    var program =
        Path.of(System.getProperty("husk.root", ".."), "guest/agent/build/husk-agent")
            .toAbsolutePath()
            .normalize();
    Requirements.need(
        Files.isExecutable(program), "the guest agent (make -C guest/agent OUT=guest/agent)");
    return program;
  }
}
