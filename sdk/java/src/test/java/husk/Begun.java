package husk;

import husk.model.ExecutionEvent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Waits until an execution has printed something, and so has surely begun.
final class Begun implements ExecutionEvent.Listener {
  private final CountDownLatch begun = new CountDownLatch(1);

  @Override
  public void on(ExecutionEvent event) {
    if (event instanceof ExecutionEvent.Stream) {
      begun.countDown();
    }
  }

  void await() throws InterruptedException {
    if (!begun.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the execution did not begin");
    }
  }
}
