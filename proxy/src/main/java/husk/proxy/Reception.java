package husk.proxy;

import java.io.IOException;
import java.util.concurrent.ExecutorService;

/// Receives a connection: who asks, and in which protocol?
final class Reception {
  private final ExecutorService threads;

  Reception(ExecutorService threads) {
    this.threads = threads;
  }

  void receive(Visit visit) throws IOException, InterruptedException {
    var client = visit.client();
    if (client.peek() < 0) {
      return;
    }
    var preface = Preface.read(client);
    if (preface.isEmpty()) {
      visit.refused("unknown", Refusal.malformed("a connection that nobody introduced"));
      return;
    }
    visit.introducedBy(preface.get());
    switch (client.peek()) {
      case -1 -> {}
      case SocksSession.VERSION -> new SocksSession(visit, threads).serve();
      default -> new HttpSession(visit, threads).serve();
    }
  }
}
