package husk;

import husk.local.UnixHttp;
import husk.spi.CommandEnd;
import husk.spi.CommandInfo;
import husk.spi.CommandSpec;
import husk.spi.Enforcement;
import husk.spi.Forward;
import husk.spi.RunningCommand;
import husk.spi.SandboxFiles;
import husk.spi.SandboxProcess;
import husk.spi.Tenancy;
import husk.spi.Usage;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What runs in a sandbox of the daemon, through HTTP alone.
final class RemoteSandbox implements husk.spi.Sandbox {
  private final Connections connections;
  private final String path;

  RemoteSandbox(Connections connections, String name) {
    this.connections = connections;
    this.path = RemoteSandboxes.path(name);
  }

  private SandboxRecord info() {
    return connections.ask("GET", path, Bodies.NONE).as(SandboxJson.class).record();
  }

  @Override
  public SandboxProcess process() {
    return new SandboxProcess(info().pid(), 0);
  }

  @Override
  public Enforcement enforcement() {
    return new Enforcement(info().limitsHeldBy());
  }

  @Override
  public boolean alive() {
    return info().running();
  }

  @Override
  public RunningCommand run(CommandSpec command) throws IOException {
    return RemoteCommand.open(connections, path, "POST", "/exec", ExecJson.of(command));
  }

  @Override
  public RunningCommand attach(String id, Optional<String> stream, boolean logsOnly)
      throws IOException {
    var query = "?follow=" + !logsOnly + stream.map(name -> "&stream=" + name).orElse("");
    var target = command(id) + "/logs" + query;
    return RemoteCommand.open(connections, path, "GET", target, Bodies.NONE);
  }

  private static String command(String id) {
    return "/exec/detached/" + UnixHttp.segment(id);
  }

  private record Listed(List<Shown> commands) {}

  private record Shown(
      String id,
      long pid,
      List<String> command,
      boolean detached,
      Instant startedAt,
      Optional<Instant> endedAt,
      Optional<ExecJson.End> end) {
    CommandInfo info() {
      Optional<CommandEnd> how = end.map(ExecJson.End::end);
      return new CommandInfo(id, pid, command, detached, startedAt, endedAt, how);
    }
  }

  @Override
  public List<CommandInfo> commands() {
    var all = connections.ask("GET", path + "/exec/detached?all=1", Bodies.NONE).as(Listed.class);
    return all.commands().stream().map(Shown::info).toList();
  }

  @Override
  public void kill(String id, int signal) {
    var target = path + command(id) + "?signal=" + signal;
    connections.askOnce("DELETE", target, Bodies.NONE).throwProblem();
  }

  @Override
  public SandboxFiles files() {
    return new RemoteFiles(connections, path + "/fs/");
  }

  @Override
  public Forward forward(int port) throws IOException {
    return RemoteForward.open(connections, path + "/ports/" + port);
  }

  @Override
  public Usage usage() {
    return connections.ask("GET", path + "/usage", Bodies.NONE).as(Usage.class);
  }

  /// Nothing here may talk to it but the daemon.
  @Override
  public Optional<Path> agentSocket() {
    return Optional.empty();
  }

  @Override
  public Optional<Tenancy> tenancy() {
    return Optional.empty();
  }

  /// The daemon alone counts them.
  @Override
  public long memoryKills() {
    return 0;
  }

  @Override
  public void end() {
    connections.ask("POST", path + "/stop", Json.bytes(Map.of())).throwProblem();
  }
}
