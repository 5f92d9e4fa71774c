package husk;

import husk.model.Problem;
import java.util.Set;
import java.util.function.Supplier;

/// Work on a kernel that leaves it as it was, should it fail.
final class Transaction {
  private static final Set<Problem.Code> GONE =
      Set.of(Problem.Code.KERNEL_NOT_FOUND, Problem.Code.CHECKPOINT_NOT_FOUND);

  private Transaction() {}

  static <T> T run(LiveState kernels, String nameOrId, Supplier<T> work) {
    var before = kernels.checkpoint(nameOrId).id();
    try {
      return work.get();
    } catch (RuntimeException | Error failure) {
      takeBack(kernels, nameOrId, before, failure);
      throw failure;
    } finally {
      drop(kernels, nameOrId, before);
    }
  }

  /// What made the work fail is what the caller has to hear of.
  private static void takeBack(
      LiveState kernels, String nameOrId, String before, Throwable failure) {
    try {
      kernels.rollback(nameOrId, before);
    } catch (Problem notTakenBack) {
      failure.addSuppressed(notTakenBack);
    }
  }

  /// The work may have destroyed the kernel, or dropped every checkpoint of it.
  private static void drop(LiveState kernels, String nameOrId, String before) {
    try {
      kernels.dropCheckpoint(nameOrId, before);
    } catch (Problem problem) {
      if (!GONE.contains(problem.code())) {
        throw problem;
      }
    }
  }
}
