package husk.backends.agents;

import husk.agent.Agent;
import husk.spi.CommandInfo;
import husk.spi.CommandSpec;
import husk.spi.Enforcement;
import husk.spi.Forward;
import husk.spi.RunningCommand;
import husk.spi.Sandbox;
import husk.spi.SandboxFiles;
import husk.spi.SandboxPlace;
import husk.spi.SandboxProcess;
import husk.spi.Tenancy;
import husk.spi.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A sandbox whose first process is the guest agent.
public final class AgentSandbox implements Sandbox {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration AFTERWARDS = Duration.ofSeconds(2);

  private final SandboxPlace place;
  private final SandboxProcess process;
  private final Cgroups cgroups;
  private final Enforcement enforcement;
  private final Optional<Tenancy> tenancy;
  private final Agent agent;

  public AgentSandbox(
      SandboxPlace place,
      SandboxProcess process,
      Cgroups cgroups,
      Enforcement enforcement,
      Optional<Tenancy> tenancy) {
    this.place = place;
    this.process = process;
    this.cgroups = cgroups;
    this.enforcement = enforcement;
    this.tenancy = tenancy;
    this.agent = new Agent(place.agentSocket());
  }

  @Override
  public SandboxProcess process() {
    return process;
  }

  @Override
  public Enforcement enforcement() {
    return enforcement;
  }

  @Override
  public boolean alive() {
    return FirstProcess.alive(process);
  }

  @Override
  public RunningCommand run(CommandSpec command) throws IOException {
    return agent.run(command);
  }

  @Override
  public RunningCommand attach(String id, Optional<String> stream, boolean logsOnly)
      throws IOException {
    return agent.attach(id, stream, logsOnly);
  }

  @Override
  public List<CommandInfo> commands() throws IOException {
    return agent.commands();
  }

  @Override
  public void kill(String id, int signal) throws IOException {
    agent.kill(id, signal);
  }

  @Override
  public SandboxFiles files() {
    return agent.files();
  }

  @Override
  public Forward forward(int port) throws IOException {
    return agent.forward(port);
  }

  @Override
  public Usage usage() throws IOException {
    return agent.usage();
  }

  @Override
  public Optional<Path> agentSocket() {
    return Optional.of(place.agentSocket());
  }

  @Override
  public Optional<Tenancy> tenancy() {
    return tenancy;
  }

  @Override
  public long memoryKills() {
    return cgroups.memoryKills();
  }

  @Override
  public void end() {
    var launched = Launched.of(place);
    var launcher = FirstProcess.of(launched.launcher());
    askToEnd();
    if (!Waiting.until(AFTERWARDS, () -> !alive())) {
      kill(launched);
    }
    launcher.ifPresent(watcher -> Waiting.until(PATIENCE, () -> !FirstProcess.alive(watcher)));
    cgroups.remove();
    Placeholders.release(place);
    removeSocket();
  }

  /// Code that has taken over a process outside can keep the first process of a sandbox from ending
  /// by not burying what it started there. Then all that could have done so ends.
  private void kill(Launched launched) {
    ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
    if (!Waiting.until(AFTERWARDS, () -> !alive()) && launched.family() > 1) {
      ProcessHandle.of(launched.family()).ifPresent(ProcessHandle::destroyForcibly);
      Waiting.until(PATIENCE, () -> !alive());
    }
  }

  /// Whoever does not listen is killed afterwards.
  private void askToEnd() {
    var asking = Thread.ofVirtual().start(this::ask);
    try {
      asking.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    asking.interrupt();
  }

  private void ask() {
    try {
      agent.shutDown();
    } catch (IOException | RuntimeException e) {
      // It is gone already, or too busy to answer.
    }
  }

  private void removeSocket() {
    try {
      Files.deleteIfExists(place.agentSocket());
    } catch (IOException e) {
      // Its folder is removed with everything in it when the sandbox is.
    }
  }
}
