package husk.wire;

/// The five sockets of a kernel.
public enum Channel {
  /// Requests and their replies.
  SHELL,
  /// What the kernel tells everybody: output and status.
  IOPUB,
  /// The kernel's questions to its user.
  STDIN,
  /// Requests that do not wait for the shell channel.
  CONTROL,
  /// Echoes whatever it is sent.
  HEARTBEAT
}
