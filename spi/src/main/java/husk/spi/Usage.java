package husk.spi;

/// What a sandbox uses at the moment.
///
/// @param memoryKb of all its processes
/// @param cpuMs processor time since its start
public record Usage(long processes, long memoryKb, long cpuMs, long workspaceBytes) {}
