package husk.spi;

import java.nio.file.Path;

/// Where a sandbox's things are on the host.
///
/// @param id the sandbox's id, 32 hexadecimal digits
/// @param files what lasts: the workspace and the log
/// @param sockets what lives as long as the sandbox runs: the agent's socket and the proxy's
/// @param agent the guest agent's program
public record SandboxPlace(String id, Path files, Path sockets, Path agent) {

  /// What is seen inside as `/workspace`, unless a folder of the host is.
  public Path workspace() {
    return files.resolve("workspace");
  }

  /// What is seen inside as the home directory, and outlives a stop as the workspace does.
  public Path home() {
    return files.resolve("home");
  }

  public Path log() {
    return files.resolve("log");
  }

  public Path agentSocket() {
    return sockets.resolve("agent.sock");
  }

  public Path proxy() {
    return sockets.resolve("proxy");
  }

  public Path proxySocket() {
    return proxy().resolve("proxy.sock");
  }

  /// Where the backend writes who the first process is.
  public Path info() {
    return sockets.resolve("info");
  }
}
