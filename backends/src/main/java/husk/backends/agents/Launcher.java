package husk.backends.agents;

import husk.agent.Agent;
import husk.model.Problem;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/// Starts a sandbox's first process and waits until it answers.
///
/// The agent's own launcher binds the socket before anything else, so that waiting for the agent is
/// a plain connect; who binds is the one thing there is to poll for.
public final class Launcher {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int SAID = 4000;

  /// More at once would not be there sooner: they keep each other, and those who look whether they
  /// are there, from getting on.
  private static final Semaphore AT_ONCE =
      new Semaphore(Math.max(4, 2 * Runtime.getRuntime().availableProcessors()), true);

  private final SandboxPlace place;
  private final List<String> options;
  private final List<String> program;

  /// @param options beside those that every sandbox needs
  /// @param program what is executed in the end
  public Launcher(SandboxPlace place, List<String> options, List<String> program) {
    this.place = place;
    this.options = List.copyOf(options);
    this.program = List.copyOf(program);
  }

  /// The launcher's process, once the agent has answered. What goes wrong is told by `explain`.
  public Process start(SandboxSpec spec, Explanation explain) {
    try {
      Files.writeString(place.log(), "");
      AT_ONCE.acquireUninterruptibly();
      try {
        var process = launch(spec);
        awaitAgent(process, explain);
        return process;
      } finally {
        AT_ONCE.release();
      }
    } catch (IOException e) {
      throw new Problem(Problem.Code.SANDBOX_FAILED, "cannot start a sandbox: " + e.getMessage())
          .causedBy(e);
    }
  }

  /// Makes a problem of what was written to the log.
  @FunctionalInterface
  public interface Explanation {
    Problem of(String said);
  }

  private Process launch(SandboxSpec spec) throws IOException {
    var command = new ArrayList<String>();
    command.addAll(List.of(place.agent().toString(), "launch"));
    command.addAll(List.of("--socket", place.agentSocket().toString()));
    command.addAll(List.of("--info", place.info().toString()));
    command.addAll(List.of("--log", place.log().toString()));
    if (spec.network()) {
      command.addAll(List.of("--proxy-dir", place.proxy().toString()));
    }
    command.addAll(options);
    command.add("--");
    command.addAll(program);
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    return builder
        .directory(new File("/"))
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(place.log().toFile()))
        .redirectErrorStream(true)
        .start();
  }

  private void awaitAgent(Process process, Explanation explain) {
    var agent = new Agent(place.agentSocket());
    boolean answered =
        Waiting.until(PATIENCE, () -> answers(agent) || !process.isAlive()) && process.isAlive();
    if (!answered) {
      process.destroyForcibly();
      throw explain.of(said());
    }
  }

  private static boolean answers(Agent agent) {
    try {
      agent.hello();
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private String said() {
    try {
      var said = Files.readString(place.log(), StandardCharsets.ISO_8859_1).strip();
      return said.substring(Math.max(0, said.length() - SAID));
    } catch (IOException e) {
      return "";
    }
  }
}
