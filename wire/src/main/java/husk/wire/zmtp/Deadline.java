package husk.wire.zmtp;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.Channel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/// Closes a channel unless what is done with it is done in time; a thread blocked on it wakes with
/// an exception. States: RUNNING -> MET or MISSED.
final class Deadline {
  private enum State {
    RUNNING,
    MET,
    MISSED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
  private final CountDownLatch over = new CountDownLatch(1);
  private final Duration limit;

  private Deadline(Duration limit) {
    this.limit = limit;
  }

  static Deadline start(Channel channel, Duration limit) {
    var deadline = new Deadline(limit);
    Thread.ofVirtual().name("zmtp-handshake-deadline").start(() -> deadline.watch(channel));
    return deadline;
  }

  /// Ends the watch. Whoever asks first decides: after this the channel stays open.
  void meet() throws SocketTimeoutException {
    over.countDown();
    if (!state.compareAndSet(State.RUNNING, State.MET)) {
      throw missed();
    }
  }

  /// Ends the watch after a failure, and gives the exception to throw for it.
  IOException explain(IOException failure) {
    over.countDown();
    if (state.compareAndSet(State.RUNNING, State.MET)) {
      return failure;
    }
    var timeout = missed();
    timeout.initCause(failure);
    return timeout;
  }

  private SocketTimeoutException missed() {
    return new SocketTimeoutException(
        "the peer did not finish the handshake within " + limit.toMillis() + " ms");
  }

  private void watch(Channel channel) {
    try {
      if (!over.await(limit.toNanos(), TimeUnit.NANOSECONDS)
          && state.compareAndSet(State.RUNNING, State.MISSED)) {
        channel.close();
      }
    } catch (InterruptedException | IOException e) {
      // Nobody interrupts this thread, and a channel that fails to close is closed all the same.
    }
  }
}
