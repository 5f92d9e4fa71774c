package husk.core;

import husk.kernels.KernelSpec;
import husk.model.KernelPlace;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.sandboxes.SandboxInfo;
import husk.sandboxes.Sandboxes;
import husk.spi.Profile;
import java.util.Optional;
import java.util.function.Supplier;

/// Which kernels can be copied while they live.
///
/// Each of them shares its memory with a process that copies it, and that belongs to whatever code
/// runs in the kernel. Who wants the narrowest walls does without.
final class LiveStateRule {
  private final Supplier<Sandboxes> sandboxes;

  LiveStateRule(Supplier<Sandboxes> sandboxes) {
    this.sandboxes = sandboxes;
  }

  /// For a new kernel: what was asked for, else what is set, else what its walls suggest.
  boolean decide(
      KernelPlace place, Settings settings, Optional<KernelHome> home, Optional<KernelSpec> spec) {
    if (spec.isPresent() && place.liveState().orElse(false)) {
      throw new Problem(
          Problem.Code.CAPABILITY_MISSING,
          "a kernel of the kernelspec `" + spec.get().name() + "` cannot be copied",
          "only Husk's own Python kernel can: leave out `--kernel`, or `--live-state`");
    }
    return place
        .liveState()
        .or(settings::liveState)
        .orElseGet(() -> byProfile(home.map(this::profile)));
  }

  /// What a server gives whoever asks for nothing.
  static boolean usual(Settings settings) {
    return settings
        .liveState()
        .orElseGet(() -> byProfile(Optional.of(Profile.orDefault(settings.profile()))));
  }

  private static boolean byProfile(Optional<Profile> profile) {
    return profile.filter(Profile.RESTRICTIVE::equals).isEmpty();
  }

  /// That of a sandbox which others made is its own.
  private Profile profile(KernelHome home) {
    return home.own()
        ? Profile.orDefault(home.profile())
        : sandboxes
            .get()
            .find(home.sandbox())
            .map(SandboxInfo::spec)
            .map(spec -> spec.profile())
            .orElse(Profile.RESTRICTIVE);
  }

  /// Refuses to copy what was not made for it.
  static void require(KernelRecord record, StoredLaunch stored) {
    var name = Copies.shown(record);
    if (!stored.own()) {
      throw new Problem(
          Problem.Code.CAPABILITY_MISSING,
          "kernel `" + name + "` runs `" + record.kernel() + "`, which cannot be copied",
          "only Husk's own Python kernel can: create it without `--kernel`");
    }
    if (!stored.launch().copyable()) {
      throw new Problem(
          Problem.Code.CAPABILITY_MISSING,
          "kernel `"
              + name
              + "` was made without live state: no fork, checkpoint, rollback, preview or diff",
          "the restrictive profile leaves it out unless it is asked for, and so does the setting"
              + " `live-state = off`",
          "destroy it and create it with `--live-state on` (`live_state` in requests)");
    }
  }
}
