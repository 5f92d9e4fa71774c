package husk.proxy;

import java.io.IOException;
import java.util.concurrent.ExecutorService;

/// A client that speaks HTTP: one request after the other, each looked at as if it were the first.
final class HttpSession {
  private final Visit visit;
  private final ExecutorService threads;
  private final Peer client;

  HttpSession(Visit visit, ExecutorService threads) {
    this.visit = visit;
    this.threads = threads;
    this.client = visit.client();
  }

  void serve() throws IOException, InterruptedException {
    try {
      while (client.peek() >= 0 && serveOne()) {
        visit.leave();
      }
    } catch (Refusal e) {
      client.write(Answers.refusal(e));
      client.finish();
      visit.clientFinished();
      client.drain();
    }
  }

  /// Whether the connection can be used for another one.
  private boolean serveOne() throws IOException, Refusal, InterruptedException {
    var head = understand(() -> RequestHead.read(client));
    if (head.isConnect()) {
      return tunnel(head);
    }
    var target = understand(() -> RequestTarget.absolute(head.target()));
    var access = Access.http(head.method(), target);
    var framing = understand(() -> Framing.ofRequest(head));
    var server = visit.enter(access);
    return new HttpExchange(visit, server, threads).run(head, target, framing);
  }

  private boolean tunnel(RequestHead head) throws IOException, Refusal, InterruptedException {
    var to = understand(() -> RequestTarget.connect(head.target()));
    understand(() -> withoutBody(head));
    var access = Access.tunnel("connect", to.host(), to.port());
    var server = visit.enter(access);
    client.write(Answers.ESTABLISHED);
    new Tunnel(visit, server, threads).run(access);
    return false;
  }

  private static RequestHead withoutBody(RequestHead head) throws Refusal {
    var framing = Framing.ofRequest(head);
    if (!(framing instanceof Framing.Empty || framing.equals(new Framing.Length(0)))) {
      throw Refusal.malformed("CONNECT with a body");
    }
    return head;
  }

  private interface Reading<T> {
    T read() throws IOException, Refusal;
  }

  private <T> T understand(Reading<T> reading) throws IOException, Refusal {
    try {
      return reading.read();
    } catch (Refusal e) {
      throw visit.refused("http", e);
    }
  }
}
