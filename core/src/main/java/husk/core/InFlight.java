package husk.core;

import husk.model.KernelProcess;
import husk.model.Rollback;
import java.time.Duration;
import java.util.Optional;

/// What is written down of an execution when it starts, so that another process can see it through
/// should the one that started it die.
///
/// @param owner the process that runs it
/// @param timeout its limit; zero for none
/// @param outputLimit characters kept per field
/// @param code what runs
/// @param preview whether its effects are to be told
/// @param rollback when they are taken back
/// @param cell what the kernel is told, where that is not the code itself
/// @param sentTo the kernel's process that is told; empty if nobody is
record InFlight(
    KernelProcess owner,
    Duration timeout,
    int outputLimit,
    String code,
    Optional<Boolean> preview,
    Optional<Rollback> rollback,
    Optional<String> cell,
    Optional<KernelProcess> sentTo) {

  /// What is left when what was written down makes no sense: nobody runs it any more.
  static final InFlight UNKNOWN =
      new InFlight(
          new KernelProcess(0, Long.MAX_VALUE),
          Duration.ZERO,
          0,
          "",
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  String told() {
    return cell.orElse(code);
  }
}
