package husk.kernels;

import husk.model.Ids;
import husk.model.Problem;
import husk.wire.Channel;
import husk.wire.ConnectionInfo;
import husk.wire.Json;
import husk.wire.Message;
import husk.wire.MessageCodec;
import husk.wire.Signer;
import husk.wire.zmtp.SocketType;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Talks the Jupyter protocol to one kernel over its shell, control and iopub channels.
///
/// One reader thread per channel hands every message to the [Conversation] it belongs to, found by
/// its parent's id. A conversation that blocks in its handler holds that channel, and through it
/// the kernel, back: nothing is dropped and nothing piles up here.
public final class KernelClient implements AutoCloseable {
  private static final Duration NUDGE = Duration.ofMillis(250);
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  /// Takes the messages that answer one request.
  public interface Conversation {
    /// A broadcast: output, status and the like.
    void broadcast(Message message);

    /// The answer on the channel the request went out on.
    void reply(Message message);

    /// The kernel is gone; nothing more will come.
    void gone();
  }

  private final MessageCodec codec;
  private final String session = Ids.fresh();
  private final ConnectionInfo info;
  private final ClientSocket shell;
  private final ClientSocket iopub;
  private @Nullable ClientSocket control;
  private final Map<String, Conversation> conversations = new ConcurrentHashMap<>();
  private final Consumer<Boolean> onBusy;
  private final Runnable onGone;
  private final CountDownLatch heard = new CountDownLatch(1);
  private final CountDownLatch broadcastsEnded = new CountDownLatch(1);
  private volatile boolean open = true;

  private KernelClient(ConnectionInfo info, Consumer<Boolean> onBusy, Runnable onGone)
      throws IOException {
    this.info = info;
    this.codec = new MessageCodec(new Signer(info.key(), info.signatureScheme()));
    this.onBusy = onBusy;
    this.onGone = onGone;
    this.iopub = new ClientSocket(info, Channel.IOPUB, SocketType.SUB, codec);
    this.shell = shellBeside(iopub);
  }

  private ClientSocket shellBeside(ClientSocket opened) throws IOException {
    try {
      opened.subscribeToAll();
      return new ClientSocket(info, Channel.SHELL, SocketType.DEALER, codec);
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  /// Connects and waits until broadcasts are known to arrive: for `iopub_welcome`, or, with kernels
  /// older than protocol 5.4, for the broadcast that a nudge on the control channel causes.
  ///
  /// @param onBusy hears whether the kernel is busy, whoever made it so
  /// @param onGone hears once that the connection is lost
  public static KernelClient connect(
      ConnectionInfo info, Duration limit, Consumer<Boolean> onBusy, Runnable onGone)
      throws IOException {
    var client = new KernelClient(info, onBusy, onGone);
    Threads.start("husk-iopub", client::readBroadcasts);
    Threads.start("husk-shell", () -> client.readAnswers(client.shell));
    try {
      client.awaitBroadcasts(limit);
      return client;
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  private void awaitBroadcasts(Duration limit) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (!heard.await(NUDGE.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!open || System.nanoTime() > deadline) {
          throw new IOException("the kernel does not answer");
        }
        control()
            .send(Message.request("kernel_info_request", session, Json.MAPPER.createObjectNode()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while connecting", e);
    }
  }

  /// Makes a request in this client's session.
  public Message request(String type, ObjectNode content) {
    return Message.request(type, session, content);
  }

  /// Sends `request` on the shell channel and has `conversation` told of everything it causes.
  public void converse(Message request, Conversation conversation) throws IOException {
    conversations.put(request.header().msgId(), conversation);
    if (!open) {
      conversations.remove(request.header().msgId());
      throw new IOException("the kernel is gone");
    }
    shell.send(request);
  }

  /// Has `conversation` told of what a request caused that an earlier client sent.
  public void overhear(String messageId, Conversation conversation) {
    conversations.put(messageId, conversation);
  }

  /// Ends a conversation; whatever else comes for it is ignored.
  public void forget(String messageId) {
    conversations.remove(messageId);
  }

  /// Asks on the shell channel: it is answered in turn, between two cells.
  public Message askInTurn(String type, ObjectNode content, Duration limit) {
    return ask(shell, type, content, limit);
  }

  /// Asks on the control channel, which kernels answer while they run code.
  public Message ask(String type, ObjectNode content, Duration limit) {
    try {
      return ask(control(), type, content, limit);
    } catch (IOException e) {
      throw unanswered(type, e);
    }
  }

  private Message ask(ClientSocket channel, String type, ObjectNode content, Duration limit) {
    var request = request(type, content);
    var answer = new Answer();
    conversations.put(request.header().msgId(), answer);
    try {
      channel.send(request);
      return answer.reply.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw unanswered(type, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(Problem.Code.KERNEL_UNRESPONSIVE, "interrupted while asking the kernel");
    } finally {
      forget(request.header().msgId());
    }
  }

  private static String reason(Exception cause) {
    return switch (cause) {
      case TimeoutException _ -> "it took too long";
      case ExecutionException wrapped when wrapped.getCause() != null ->
          String.valueOf(wrapped.getCause().getMessage());
      default -> String.valueOf(cause.getMessage());
    };
  }

  private static Problem unanswered(String type, Exception cause) {
    return new Problem(
            Problem.Code.KERNEL_UNRESPONSIVE,
            "the kernel does not answer `" + type + "`: " + reason(cause))
        .causedBy(cause);
  }

  public boolean isOpen() {
    return open;
  }

  /// Few kernels are ever asked anything there, so it is opened for the first question.
  private synchronized ClientSocket control() throws IOException {
    if (!open) {
      throw new IOException("the kernel is gone");
    }
    var present = control;
    if (present == null) {
      var opened = new ClientSocket(info, Channel.CONTROL, SocketType.DEALER, codec);
      control = opened;
      present = opened;
      Threads.start("husk-control", () -> readAnswers(opened));
    }
    return present;
  }

  private void readBroadcasts() {
    try {
      read(iopub, this::hear);
    } finally {
      broadcastsEnded.countDown();
      end();
    }
  }

  /// When the kernel hangs up, what it broadcast last may still be on its way: that is read first.
  private void readAnswers(ClientSocket socket) {
    try {
      read(socket, this::answer);
      broadcastsEnded.await(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end();
    }
  }

  private void read(ClientSocket socket, Consumer<Message> handler) {
    try {
      while (open) {
        socket.hear(handler);
      }
    } catch (IOException e) {
      // the kernel hung up, or close() did
    }
  }

  private void hear(Message message) {
    heard.countDown();
    if (message.type().equals("status")) {
      onBusy.accept(message.content().path("execution_state").asString("").equals("busy"));
    }
    message.parentId().map(conversations::get).ifPresent(c -> c.broadcast(message));
  }

  private void answer(Message message) {
    message.parentId().map(conversations::get).ifPresent(c -> c.reply(message));
  }

  private void end() {
    close();
    conversations.values().forEach(Conversation::gone);
  }

  @Override
  public void close() {
    ClientSocket asked;
    synchronized (this) {
      if (!open) {
        return;
      }
      open = false;
      asked = control;
    }
    heard.countDown();
    shell.close();
    if (asked != null) {
      asked.close();
    }
    iopub.close();
    onGone.run();
  }

  /// Waits for one reply and nothing else.
  private static final class Answer implements Conversation {
    final CompletableFuture<Message> reply = new CompletableFuture<>();

    @Override
    public void broadcast(Message message) {}

    @Override
    public void reply(Message message) {
      reply.complete(message);
    }

    @Override
    public void gone() {
      reply.completeExceptionally(new IOException("the kernel is gone"));
    }
  }
}
