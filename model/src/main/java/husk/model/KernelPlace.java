package husk.model;

import java.util.Optional;

/// Where a new kernel is to live. Whatever is left empty comes from the settings.
///
/// @param backend who makes its sandbox; `host` for none
/// @param sandbox the name of a sandbox it shares, instead of one of its own
/// @param profile what its own sandbox may do
public record KernelPlace(
    Optional<String> backend, Optional<String> sandbox, Optional<String> profile) {

  public static final KernelPlace ANYWHERE =
      new KernelPlace(Optional.empty(), Optional.empty(), Optional.empty());
}
