package husk;

import husk.model.KernelRecord;

/// How a kernel is.
///
/// @param kernel what the registry knows of it
/// @param alive whether its process lives
/// @param responsive whether it reacts to its heartbeat, as a busy one does too
public record KernelHealth(KernelRecord kernel, boolean alive, boolean responsive) {}
