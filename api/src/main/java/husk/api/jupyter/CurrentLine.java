package husk.api.jupyter;

import husk.kernels.KernelLine;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The line to a kernel that is in use, if there is one, and those who wait for it.
final class CurrentLine {
  private @Nullable KernelLine line;
  private boolean dead;

  /// A new line; one that has ended already is none.
  synchronized void found(KernelLine fresh) {
    dead = false;
    if (fresh.isOpen()) {
      line = fresh;
    }
    notifyAll();
  }

  synchronized void lost() {
    line = null;
    notifyAll();
  }

  /// Says whether there is no hope for one.
  synchronized void dead(boolean now) {
    dead = now;
    notifyAll();
  }

  @SuppressWarnings("ReferenceEquality") // that very line
  void hangUp(KernelLine broken) {
    broken.close();
    synchronized (this) {
      if (line == broken) {
        lost();
      }
    }
  }

  synchronized Optional<KernelLine> present() {
    return Optional.ofNullable(line);
  }

  /// Waits for a line; empty when there is no hope for one.
  synchronized Optional<KernelLine> await() throws InterruptedException {
    while (line == null && !dead) {
      wait();
    }
    return Optional.ofNullable(line);
  }

  synchronized void awaitNone() throws InterruptedException {
    while (line != null) {
      wait();
    }
  }

  /// Waits until this one is no longer in use.
  @SuppressWarnings("ReferenceEquality") // that very line
  synchronized void awaitOther(KernelLine former) throws InterruptedException {
    while (line == former) {
      wait();
    }
  }
}
