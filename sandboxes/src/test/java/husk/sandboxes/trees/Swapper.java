package husk.sandboxes.trees;

import java.io.IOException;

/// Does something again and again, as fast as it can, until it is closed.
final class Swapper implements AutoCloseable {
  private final Thread busy;
  private volatile boolean stopped;

  @FunctionalInterface
  interface Exchange {
    void run() throws IOException;
  }

  Swapper(Exchange exchange) {
    busy = Thread.ofPlatform().start(() -> repeat(exchange));
  }

  private void repeat(Exchange exchange) {
    while (!stopped) {
      try {
        exchange.run();
      } catch (IOException inTheWay) {
        // Whoever puts things back has been quicker; the next time then.
      }
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      busy.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
