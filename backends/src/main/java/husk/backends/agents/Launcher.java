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
import java.util.concurrent.atomic.AtomicBoolean;

/// Starts a sandbox's first process and waits until it answers.
///
/// The agent's own launcher binds the socket before anything else, so that waiting for the agent is
/// a plain connect; who binds is the one thing there is to poll for.
public final class Launcher {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration TURN = Duration.ofSeconds(2);
  private static final int SAID = 4000;

  /// More at once would not be there sooner: they keep each other, and those who look whether they
  /// are there, from getting on.
  private static final Semaphore AT_ONCE =
      new Semaphore(Math.max(4, 2 * Runtime.getRuntime().availableProcessors()), true);

  private final SandboxPlace place;
  private final List<String> options;
  private final List<String> program;
  private final Duration patience;

  /// @param options beside those that every sandbox needs
  /// @param program what is executed in the end
  public Launcher(SandboxPlace place, List<String> options, List<String> program) {
    this(place, options, program, PATIENCE);
  }

  Launcher(SandboxPlace place, List<String> options, List<String> program, Duration patience) {
    this.place = place;
    this.options = List.copyOf(options);
    this.program = List.copyOf(program);
    this.patience = patience;
  }

  /// The launcher's process, once the agent has answered. What goes wrong is told by `explain`.
  public Process start(SandboxSpec spec, Explanation explain) {
    try {
      Files.writeString(place.log(), "");
      var begun = beginInTurn(spec);
      if (!begun.answered && !answersWithin(patience, begun.process)) {
        begun.process.destroyForcibly();
        throw explain.of(said());
      }
      return begun.process;
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

  private record Begun(Process process, boolean answered) {}

  /// Whoever is not there after a moment is kept by something else than others at work, and waits
  /// without keeping them: relatives of a sandbox can stop what builds it.
  private Begun beginInTurn(SandboxSpec spec) throws IOException {
    AT_ONCE.acquireUninterruptibly();
    try {
      var process = launch(spec);
      return new Begun(process, answersWithin(TURN, process));
    } finally {
      AT_ONCE.release();
    }
  }

  /// One that was stopped does not answer, and does not refuse either: so asking ends with the
  /// time.
  private boolean answersWithin(Duration time, Process process) {
    var agent = new Agent(place.agentSocket());
    var answered = new AtomicBoolean();
    var asking =
        Thread.startVirtualThread(
            () ->
                answered.set(
                    Waiting.until(time, () -> answers(agent) || !process.isAlive())
                        && process.isAlive()));
    try {
      if (!asking.join(time)) {
        asking.interrupt();
        asking.join();
      }
    } catch (InterruptedException e) {
      asking.interrupt();
      Thread.currentThread().interrupt();
    }
    return answered.get();
  }

  private static boolean answers(Agent agent) {
    try {
      agent.hello();
      return true;
    } catch (IOException | Problem notYet) {
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
