package husk.cli;

import husk.agent.Agent;
import husk.spi.CommandSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// The two folders of a sandbox that outlive its stop, and what they are called in an export.
final class SandboxRoots {
  private SandboxRoots() {}

  static Map<String, String> of(SandboxHandle sandbox) throws IOException {
    var roots = new LinkedHashMap<String, String>();
    roots.put("workspace", sandbox.workspace());
    String home = home(sandbox.agent());
    if (home.startsWith("/")) {
      roots.put("home", home);
    }
    return roots;
  }

  /// As the sandbox itself says: backends differ.
  private static String home(Agent agent) throws IOException {
    var said = new ByteArrayOutputStream();
    try (var command = agent.run(CommandSpec.of("/bin/sh", "-c", "printf %s \"$HOME\""))) {
      CommandCall.drain(command, (_, bytes) -> said.writeBytes(bytes));
    }
    return said.toString(StandardCharsets.UTF_8);
  }
}
