package husk.model;

/// One process, told apart from a later one with the same pid by when it started.
///
/// @param pid the process id
/// @param startTime clock ticks after boot, field 22 of `/proc/PID/stat`; 0 when unknown
public record KernelProcess(long pid, long startTime) {}
