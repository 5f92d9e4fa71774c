package husk;

import husk.spi.CommandInfo;
import husk.spi.CommandSpec;
import husk.spi.Enforcement;
import husk.spi.Forward;
import husk.spi.RunningCommand;
import husk.spi.SandboxFiles;
import husk.spi.SandboxProcess;
import husk.spi.Tenancy;
import husk.spi.Usage;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A sandbox of the library's, taken for one of a backend's, so that the same contract holds it.
record ClientSandbox(Sandbox client) implements husk.spi.Sandbox {
  @Override
  public SandboxProcess process() {
    return new SandboxProcess(client.info().pid(), 0);
  }

  @Override
  public Enforcement enforcement() {
    return new Enforcement(client.info().limitsHeldBy());
  }

  @Override
  public boolean alive() {
    return client.info().running();
  }

  @Override
  public RunningCommand run(CommandSpec command) {
    return client.begin(command);
  }

  @Override
  public RunningCommand attach(String id, Optional<String> stream, boolean logsOnly) {
    return client.attach(id);
  }

  @Override
  public List<CommandInfo> commands() {
    return client.commands();
  }

  @Override
  public void kill(String id, int signal) {
    client.kill(id, signal);
  }

  @Override
  public SandboxFiles files() {
    return client.files();
  }

  @Override
  public Forward forward(int port) {
    return client.connect(port);
  }

  @Override
  public Usage usage() {
    return client.usage();
  }

  @Override
  public Optional<Path> agentSocket() {
    return Optional.empty();
  }

  @Override
  public Optional<Tenancy> tenancy() {
    return Optional.empty();
  }

  @Override
  public long memoryKills() {
    return 0;
  }

  @Override
  public void end() {
    client.stop();
  }
}
