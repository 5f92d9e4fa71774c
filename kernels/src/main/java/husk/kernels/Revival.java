package husk.kernels;

import husk.model.KernelProcess;
import husk.model.Problem;

/// A copy of a kernel on its way to being one of its own. It waits where it would begin to notice
/// the world, such as the files it had open, until it is told to go on.
public final class Revival {
  private final WarmParent parent;
  private final Launch launch;
  private final WarmParent.Asked asked;

  Revival(WarmParent parent, Launch launch, WarmParent.Asked asked) {
    this.parent = parent;
    this.launch = launch;
    this.asked = asked;
  }

  /// Does the work while memory is copied, then lets the copy go on: its sockets can be connected
  /// to from then on. If the work fails, the copy ends.
  public void goOnAfter(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      parent.release(launch.kernelId(), false);
      asked.answer();
      asked.close();
      throw e;
    }
    parent.release(launch.kernelId(), true);
  }

  /// Waits until it answers.
  public KernelProcess process() {
    try (asked) {
      var answer = asked.answer();
      return WarmParent.process(
          answer,
          () ->
              new Problem(
                  Problem.Code.COPY_FAILED,
                  "cannot start a copy of a kernel: " + WarmParent.why(answer),
                  "look at the kernel's log: " + launch.log()));
    }
  }
}
