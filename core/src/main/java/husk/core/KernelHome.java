package husk.core;

import java.util.Optional;

/// The sandbox a kernel lives in.
///
/// @param sandbox its name
/// @param own whether it was made for this kernel, and goes with it
/// @param profile what it may do, if it was
public record KernelHome(String sandbox, boolean own, Optional<String> profile) {}
