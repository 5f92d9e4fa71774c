package husk.model;

import java.util.Map;
import java.util.Optional;

/// Where a new kernel is to live, and what can be done with it there. Whatever is left empty comes
/// from the settings.
///
/// @param backend who makes its sandbox; `host` for none
/// @param sandbox the name of a sandbox it shares, instead of one of its own
/// @param profile what its own sandbox may do
/// @param liveState whether it can be copied while it lives
/// @param limits of its own sandbox, by the names that sandboxes have for them
public record KernelPlace(
    Optional<String> backend,
    Optional<String> sandbox,
    Optional<String> profile,
    Optional<Boolean> liveState,
    Map<String, Long> limits) {

  public static final KernelPlace ANYWHERE =
      new KernelPlace(Optional.empty(), Optional.empty(), Optional.empty());

  public KernelPlace(Optional<String> backend, Optional<String> sandbox, Optional<String> profile) {
    this(backend, sandbox, profile, Optional.empty(), Map.of());
  }

  /// The same for a kernel that can be copied, or cannot.
  public KernelPlace withLiveState(boolean copied) {
    return new KernelPlace(backend, sandbox, profile, Optional.of(copied), limits);
  }

  /// The same with limits of its own.
  public KernelPlace limitedTo(Map<String, Long> chosen) {
    return new KernelPlace(backend, sandbox, profile, liveState, Map.copyOf(chosen));
  }
}
