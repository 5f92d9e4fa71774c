package husk.spi;

/// The first process of a sandbox, as the host sees it: everything inside ends with it.
///
/// @param pid its number on the host
/// @param startTime when it started, in the kernel's ticks, so that a number given anew is not
///   taken for it
public record SandboxProcess(long pid, long startTime) {}
