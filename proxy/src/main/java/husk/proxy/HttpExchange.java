package husk.proxy;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// One request that was let through, and its response. Both are moved at once, since a server may
/// answer before it has heard everything.
final class HttpExchange {
  private final Visit visit;
  private final Peer client;
  private final Peer server;
  private final ExecutorService threads;

  private volatile boolean isSent;
  private volatile @Nullable Refusal malformed;

  HttpExchange(Visit visit, Peer server, ExecutorService threads) {
    this.visit = visit;
    this.client = visit.client();
    this.server = server;
    this.threads = threads;
  }

  /// Whether the client may send another request.
  boolean run(RequestHead head, RequestTarget target, Framing framing)
      throws IOException, Refusal, InterruptedException {
    sendHead(head.forServer(target, framing));
    isSent = framing instanceof Framing.Empty;
    if (head.wantsWebSocket()) {
      return answer(head);
    }
    var sending = threads.submit(() -> send(framing));
    var keeps = answerOrRefuse(head);
    if (!keeps) {
      client.finish();
      visit.clientFinished();
    }
    try {
      sending.get();
    } catch (ExecutionException e) {
      throw new IOException("the request could not be sent", e);
    }
    return keeps;
  }

  private void sendHead(String head) throws Refusal {
    try {
      server.write(head);
    } catch (IOException e) {
      throw Refusal.unreachable("the server closed the connection: " + e.getMessage());
    }
  }

  /// Sends the body, then waits for the next request's first byte: a client that goes away while
  /// its server is silent is noticed this way.
  private void send(Framing framing) {
    try {
      new Body(client, server).copy(framing);
      isSent = true;
      if (!client.fill()) {
        visit.clientFinished();
      }
    } catch (Refusal e) {
      malformed = visit.refused("http", e);
      server.close();
      drain();
    } catch (IOException _) {
      drain(); // either side is gone; the server's last words, if any, are still read
    }
  }

  private void drain() {
    try {
      client.drain();
    } catch (IOException _) {
      // Gone for good.
    }
  }

  /// While the body is being sent, nobody else may read from the client: refusals end here.
  private boolean answerOrRefuse(RequestHead head) throws IOException, InterruptedException {
    try {
      return answer(head);
    } catch (Refusal e) {
      server.close();
      client.write(Answers.refusal(e));
      return false;
    }
  }

  private boolean answer(RequestHead head) throws IOException, Refusal, InterruptedException {
    var response = responseHead();
    while (response.isInterim()) {
      client.write(response.forClient(new Framing.Empty(), true));
      response = responseHead();
    }
    return response.switchesProtocol() ? upgrade(response, head) : passOn(response, head);
  }

  private boolean upgrade(ResponseHead response, RequestHead head)
      throws IOException, Refusal, InterruptedException {
    if (!head.wantsWebSocket()) {
      throw Refusal.unreachable("the server switches to a protocol nobody asked for");
    }
    client.write(response.forClient(new Framing.Empty(), true));
    new Tunnel(visit, server, threads).join();
    return false;
  }

  private boolean passOn(ResponseHead response, RequestHead head) throws IOException, Refusal {
    var framing = responseFraming(response, head);
    var keeps = isSent && head.keepsConnection() && !(framing instanceof Framing.UntilClose);
    client.write(response.forClient(framing, keeps));
    try {
      new Body(server, client).copy(framing);
    } catch (Refusal e) {
      throw new IOException("the response broke off: " + e.detail(), e);
    }
    return keeps;
  }

  private static Framing responseFraming(ResponseHead response, RequestHead head) throws Refusal {
    try {
      return Framing.ofResponse(response, head.method());
    } catch (Refusal e) {
      throw Refusal.unreachable("the server's response makes no sense: " + e.detail());
    }
  }

  private ResponseHead responseHead() throws Refusal {
    try {
      return ResponseHead.read(server);
    } catch (IOException | Refusal e) {
      var ours = malformed;
      if (ours != null) {
        throw ours;
      }
      throw e instanceof Refusal refusal
          ? refusal
          : Refusal.unreachable("the server broke off: " + e.getMessage());
    }
  }
}
