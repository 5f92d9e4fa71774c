package husk.api.jupyter;

import husk.core.AttachedFate;
import husk.core.Attachment;
import husk.core.Service;
import husk.kernels.KernelLine;
import husk.kernels.Threads;
import husk.model.Ids;
import husk.model.KernelProcess;
import husk.model.Problem;
import husk.wire.Channel;
import husk.wire.RawMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;

/// Keeps one client's line to a kernel, also when the kernel's process does not last: its requests
/// are failed then, the kernel is started again, and the line connected anew.
///
/// States: CONNECTING -> CONNECTED -> (the process ends) -> CONNECTING, or DEAD when it cannot be
/// started, until somebody does; and over when the kernel is destroyed.
final class LineKeeper implements KernelLine.Listener, AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(60);
  private static final long LAST_WORDS_MILLIS = 300;
  private static final long LOOK_MILLIS = 300;

  private final Attachment attachment;
  private final ClientSession session;
  private final JupyterState state;
  private final String kernelId;
  private final Requests requests;
  private final CurrentLine line = new CurrentLine();
  private final CrashLoop crashes = new CrashLoop();
  private final byte[] identity = Ids.fresh().getBytes(StandardCharsets.US_ASCII);
  private final Thread keeper;
  private Optional<KernelProcess> believedAlive = Optional.empty();
  private volatile boolean open = true;

  LineKeeper(Service core, String kernelId, JupyterState state, ClientSession session) {
    this.session = session;
    this.state = state;
    this.kernelId = kernelId;
    this.requests = new Requests(session::deliver);
    this.attachment = core.attach(kernelId, this::processEnded);
    this.keeper = Thread.ofVirtual().name("husk-line-keeper").unstarted(this::keep);
  }

  void start() {
    keeper.start();
  }

  Attachment attachment() {
    return attachment;
  }

  void releaseOverdueReplies() {
    requests.releaseOverdue();
  }

  // What the kernel says

  @Override
  public void received(Channel channel, RawMessage message) {
    requests.heard(channel, message.oversized() ? Synthetic.instead(message) : message);
  }

  @Override
  public void ended() {
    line.lost();
  }

  /// Descendants of a process that has ended may hold its line open; what it said last is given a
  /// moment, then it is over.
  private void processEnded() {
    var broken = line.present();
    Threads.start(
        "husk-line-hang-up",
        () -> {
          Threads.sleep(LAST_WORDS_MILLIS);
          broken.ifPresent(line::hangUp);
        });
  }

  // What the client says

  /// Passes a request on to the shell channel, waiting for the kernel to be there; false when it
  /// should be tried again, because the line broke meanwhile.
  boolean ask(RawMessage request) throws InterruptedException {
    var present = line.await();
    if (present.isEmpty()) {
      fail(new Pending(request), Failure.dead());
      return true;
    }
    try {
      attachment.used();
      requests.asked(request);
      if (Requests.executes(request)) {
        execute(present.get(), request);
      } else {
        present.get().send(Channel.SHELL, request);
      }
      return true;
    } catch (IOException e) {
      line.awaitOther(present.get());
      // If it was failed in the meantime, it must not run after all.
      return !requests.unasked(request);
    }
  }

  private void execute(KernelLine to, RawMessage request) throws IOException {
    if (AllowStdin.in(request.content())) {
      to.openStdin();
    }
    to.send(
        Channel.SHELL,
        attachment.keepsLastWords()
            ? request.withMetadata(JournalMetadata.in(request.metadata()))
            : request);
  }

  /// On control and stdin nothing waits: where there is no kernel there is nothing to interrupt.
  void sayAside(Channel channel, RawMessage message) {
    try {
      var present = line.present();
      if (present.isPresent()) {
        attachment.used();
        present.get().send(channel, message);
      }
    } catch (IOException e) {
      // the line has broken, and its end is being seen to
    }
  }

  // What becomes of the kernel

  private void keep() {
    try {
      while (open) {
        if (connect()) {
          line.awaitNone();
          if (open) {
            mourn(attachment.fate());
          }
        } else if (open) {
          standBy();
        }
      }
    } catch (InterruptedException closed) {
      // the session is over
    } catch (RuntimeException e) {
      session.over(new CloseReason(CloseReason.TRY_AGAIN, String.valueOf(e.getMessage())));
    }
  }

  /// Connects to the kernel, which is started if need be; false when it cannot be.
  private boolean connect() throws InterruptedException {
    long deadline = System.nanoTime() + CONNECT.toNanos();
    while (open && System.nanoTime() < deadline) {
      try {
        var info = attachment.connection();
        if (believedAlive.isPresent() && !believedAlive.equals(attachment.process())) {
          // It died after all, and somebody was quicker to start it.
          abandon(Failure.restarted());
        }
        believedAlive = Optional.empty();
        connected(KernelLine.open(info, identity, CONNECT, this));
        return true;
      } catch (IOException notYet) {
        Thread.sleep(20);
      } catch (Problem problem) {
        return false;
      }
    }
    return false;
  }

  private void connected(KernelLine fresh) {
    line.found(fresh);
    if (!open) {
      line.hangUp(fresh);
      line.dead(true);
    } else if (crashes.recovered()) {
      session.deliver(Channel.IOPUB, Synthetic.status("idle", Optional.empty()));
    }
  }

  private void mourn(AttachedFate fate) throws InterruptedException {
    switch (fate) {
      case AttachedFate.Alive() ->
          // Answers to what was asked find the new line by its identity.
          believedAlive = attachment.process();
      case AttachedFate.Restarted() -> {
        abandon(Failure.restarted());
        // Who asks for a restart with Jupyter's own words knows, and takes the word `restarting`
        // for a crash.
        announce(state.restarting(kernelId) ? "starting" : "restarting");
      }
      case AttachedFate.Replaced() -> {
        abandon(Failure.replaced());
        // Not a crash, for which clients take `restarting`.
        announce("starting");
      }
      case AttachedFate.Died(var death) -> {
        requests.pending().forEach(this::tellLastWords);
        abandon(Failure.died(death));
        announce("restarting");
        if (crashes.oneMore()) {
          standBy();
        }
      }
      case AttachedFate.Destroyed() -> destroyed();
    }
  }

  private void announce(String status) {
    crashes.away();
    session.deliverTurningPoint(Channel.IOPUB, Synthetic.status(status, Optional.empty()));
  }

  private void destroyed() {
    abandon(Failure.destroyed());
    session.deliver(Channel.IOPUB, Synthetic.status("dead", Optional.empty()));
    session.over(new CloseReason(CloseReason.NORMAL, "the kernel was destroyed"));
  }

  private void abandon(Failure failure) {
    var abandoned = new ArrayList<>(requests.abandon());
    session.unasked().forEach(request -> abandoned.add(new Pending(request)));
    for (var request : abandoned) {
      request.repeatable().ifPresentOrElse(session::askAgain, () -> fail(request, failure));
    }
  }

  /// What the kernel said last may not have left its process; it wrote that down.
  private void tellLastWords(Pending request) {
    attachment.lastWords(
        request.id(),
        request.outputs(),
        (type, content) ->
            session.deliver(Channel.IOPUB, Synthetic.output(type, request.header(), content)));
  }

  private void fail(Pending request, Failure failure) {
    Synthetic.fail(request, failure, session::deliver);
  }

  /// The kernel cannot be started: says so, and waits for somebody to start it all the same.
  private void standBy() throws InterruptedException {
    line.dead(true);
    session.deliver(Channel.IOPUB, Synthetic.status("dead", Optional.empty()));
    abandon(Failure.dead());
    while (open) {
      switch (attachment.fate()) {
        case AttachedFate.Died _ -> Thread.sleep(LOOK_MILLIS);
        case AttachedFate.Destroyed() -> {
          destroyed();
          return;
        }
        case AttachedFate.Alive _, AttachedFate.Restarted _, AttachedFate.Replaced _ -> {
          line.dead(false);
          return;
        }
      }
    }
  }

  /// Its thread is not interrupted: it may be starting the kernel, over connections that others use
  /// and that an interrupt would close.
  @Override
  public void close() {
    open = false;
    line.dead(true);
    line.present().ifPresent(line::hangUp);
    attachment.close();
  }

  /// Waits until nothing of it touches the kernel any more.
  void awaitEnd() {
    try {
      keeper.join(CONNECT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
