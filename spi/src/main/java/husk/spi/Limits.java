package husk.spi;

import java.util.OptionalLong;

/// How much a sandbox may use. Zero means as much as the machine gives.
///
/// @param memoryMb of all its processes together
/// @param cpuPercent of one core; 200 is two cores
/// @param processes at once
/// @param openFiles of one process
/// @param fileSizeMb of one file
/// @param workspaceMb of the workspace and the home directory together
/// @param tmpMb of `/tmp`, which is memory
/// @param timeoutMs how long it may live
public record Limits(
    long memoryMb,
    long cpuPercent,
    long processes,
    long openFiles,
    long fileSizeMb,
    long workspaceMb,
    long tmpMb,
    long timeoutMs) {

  /// What even those get who ask for no limits: a fork bomb or a full disk is nobody's wish.
  public static final Limits NONE = new Limits(0, 0, 1024, 4096, 4096, 4096, 512, 0);

  public Limits withMemoryMb(long megabytes) {
    return new Limits(
        megabytes, cpuPercent, processes, openFiles, fileSizeMb, workspaceMb, tmpMb, timeoutMs);
  }

  public Limits withCpuPercent(long percent) {
    return new Limits(
        memoryMb, percent, processes, openFiles, fileSizeMb, workspaceMb, tmpMb, timeoutMs);
  }

  public Limits withProcesses(long number) {
    return new Limits(
        memoryMb, cpuPercent, number, openFiles, fileSizeMb, workspaceMb, tmpMb, timeoutMs);
  }

  public Limits withOpenFiles(long number) {
    return new Limits(
        memoryMb, cpuPercent, processes, number, fileSizeMb, workspaceMb, tmpMb, timeoutMs);
  }

  public Limits withFileSizeMb(long megabytes) {
    return new Limits(
        memoryMb, cpuPercent, processes, openFiles, megabytes, workspaceMb, tmpMb, timeoutMs);
  }

  public Limits withWorkspaceMb(long megabytes) {
    return new Limits(
        memoryMb, cpuPercent, processes, openFiles, fileSizeMb, megabytes, tmpMb, timeoutMs);
  }

  public Limits withTmpMb(long megabytes) {
    return new Limits(
        memoryMb, cpuPercent, processes, openFiles, fileSizeMb, workspaceMb, megabytes, timeoutMs);
  }

  public Limits withTimeoutMs(long milliseconds) {
    return new Limits(
        memoryMb, cpuPercent, processes, openFiles, fileSizeMb, workspaceMb, tmpMb, milliseconds);
  }

  /// A limit, or nothing when there is none.
  public static OptionalLong given(long limit) {
    return limit == 0 ? OptionalLong.empty() : OptionalLong.of(limit);
  }
}
