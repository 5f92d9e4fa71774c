package husk.cli;

import husk.agent.Agent;
import husk.local.JsonPeek;
import husk.model.Problem;
import java.nio.file.Path;

/// A sandbox as the daemon describes it.
final class SandboxHandle {
  private final String json;

  SandboxHandle(String json) {
    this.json = json;
  }

  String name() {
    return JsonPeek.at(json, "name").orElse("");
  }

  boolean running() {
    return JsonPeek.at(json, "status").orElse("").equals("running");
  }

  /// Who is asked about what is inside.
  Agent agent() {
    var socket = JsonPeek.at(json, "agent_socket");
    if (socket.isEmpty()) {
      throw new Problem(
          Problem.Code.SANDBOX_NOT_RUNNING,
          "Sandbox '" + name() + "' is not running",
          "start it with: husk sandbox start " + name());
    }
    return new Agent(Path.of(socket.get()));
  }

  /// Where it starts its commands: inside the walls it is always the same.
  String workspace() {
    return onHost() ? JsonPeek.at(json, "workspace").orElse("/") : "/workspace";
  }

  private boolean onHost() {
    return JsonPeek.at(json, "backend").orElse("").equals("host");
  }

  /// A limit in force; 0 for none.
  long limit(String name) {
    try {
      return Long.parseLong(JsonPeek.at(json, "spec", "limits", name).orElse("0"));
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  String json() {
    return json;
  }
}
