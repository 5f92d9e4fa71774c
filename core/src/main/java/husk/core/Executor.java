package husk.core;

import husk.kernels.Cell;
import husk.kernels.KernelClient;
import husk.kernels.OutputLimits;
import husk.kernels.Threads;
import husk.model.Death;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.store.ExecutionRow;
import husk.store.Registry;
import husk.wire.Json;
import husk.wire.Message;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Runs executions: one at a time per kernel, in the order they came.
///
/// The clock of a cell starts when the kernel says that it has begun. At its limit it is
/// interrupted; if it does not heed that within the grace period its kernel is killed. Whatever it
/// had put out by then is part of the result.
final class Executor {
  /// Stands for "no limit"; long enough to be for ever, short enough not to overflow.
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private static final System.Logger LOG = System.getLogger("husk.core");
  private static final Duration INTERRUPT_AGAIN = Duration.ofSeconds(1);

  private final Registry registry;
  private final Kernels kernels;
  private final Settings defaults;
  private final ShellCode shellCode;
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private final Consumer<KernelRecord> interrupter;
  private final Observer observer;
  private final Tentative tentative;

  Executor(
      Registry registry,
      Kernels kernels,
      Settings defaults,
      ShellCode shellCode,
      Consumer<KernelRecord> interrupter,
      Observer observer) {
    this.registry = registry;
    this.kernels = kernels;
    this.defaults = defaults;
    this.shellCode = shellCode;
    this.interrupter = interrupter;
    this.observer = observer;
    this.tentative = new Tentative(registry, this::current);
  }

  Tentative tentative() {
    return tentative;
  }

  Settings defaults() {
    return defaults;
  }

  Optional<Running> running(String executionId) {
    return Optional.ofNullable(running.get(executionId));
  }

  boolean anyRunning() {
    return !running.isEmpty();
  }

  /// Counts an execution that another process had started as running here.
  void adopt(Running adopted) {
    running.put(adopted.executionId, adopted);
  }

  void release(Running adopted) {
    running.remove(adopted.executionId);
  }

  void interrupt(KernelRecord record) {
    interrupter.accept(current(record));
  }

  /// Runs `request` to its end. Only refusals throw; whatever happens to the code is a result.
  ExecutionResult run(
      KernelRecord record,
      boolean stateLost,
      ExecuteRequest request,
      Settings settings,
      ExecutionEvent.Listener listener) {
    return run(
        new Lifecycle.Alive(record, stateLost, Optional.empty()), request, settings, listener);
  }

  ExecutionResult run(
      Lifecycle.Alive alive,
      ExecuteRequest request,
      Settings settings,
      ExecutionEvent.Listener listener) {
    var record = alive.record();
    var present = new Running(request.executionId(), record.kernelId(), Thread.currentThread());
    if (running.putIfAbsent(request.executionId(), present) != null) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "there is already an execution `" + request.executionId() + "`",
          "choose a new id, or leave it out");
    }
    try {
      var result = inTurn(present, alive, request, settings, listener);
      present.result.complete(result);
      if (!request.silent()) {
        observer.executed(result);
      }
      tellEnd(listener, result);
      return result;
    } catch (RuntimeException e) {
      present.result.completeExceptionally(e);
      throw e;
    } finally {
      running.remove(request.executionId());
    }
  }

  /// Keeps a result that several executions led to, so that it can be fetched by its id.
  void keep(String identifier, ExecuteRequest request, ExecutionResult result) {
    var record = registry.find(identifier);
    record.ifPresent(
        kernel ->
            remember(
                () -> {
                  registry.begin(row(kernel, request, defaults, Optional.empty()));
                  registry.finish(request.executionId(), Json.text(result), Instant.now());
                }));
  }

  static void tellEnd(ExecutionEvent.Listener listener, ExecutionResult result) {
    try {
      listener.on(new ExecutionEvent.Ended(result));
    } catch (RuntimeException gone) {
      // the result is kept; whoever left can fetch it
    }
  }

  private ExecutionResult inTurn(
      Running present,
      Lifecycle.Alive alive,
      ExecuteRequest request,
      Settings settings,
      ExecutionEvent.Listener listener) {
    var record = alive.record();
    var limits = OutputLimits.of(request.outputLimit().orElse(settings.outputCharLimit()));
    var cell = new Cell(request.executionId(), limits, listener);
    var results = new Results(request.executionId(), alive.stateLost(), alive.restoredFrom());
    var turn = kernels.live(record.kernelId()).turn;
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      return cancelledBeforeStart(record, request, settings, cell, results);
    }
    try {
      return present.begin(cell)
          ? tentative.run(
              record, request, () -> send(present, record, request, settings, cell, results))
          : cancelledBeforeStart(record, request, settings, cell, results);
    } finally {
      turn.unlock();
    }
  }

  /// It never ran, but whoever asks for its result is told so.
  private ExecutionResult cancelledBeforeStart(
      KernelRecord record, ExecuteRequest request, Settings settings, Cell cell, Results results) {
    var result = results.cancelledBeforeStart(cell);
    if (!request.silent()) {
      registry.begin(row(record, request, settings, Optional.empty()));
      registry.finish(request.executionId(), Json.text(result), Instant.now());
    }
    return result;
  }

  private ExecutionResult send(
      Running present,
      KernelRecord record,
      ExecuteRequest request,
      Settings settings,
      Cell cell,
      Results results) {
    var ranOn = current(record);
    var client = kernels.client(ranOn);
    kernels.live(record.kernelId()).begins();
    var stored = kernels.launch(record.kernelId());
    shellCode.load(request, stored, kernels.live(record.kernelId()), client);
    var code = shellCode.of(request, stored);
    var message =
        request.silent()
            ? CellMessage.silent(client, code)
            : CellMessage.remembered(client, request.executionId(), code);
    if (!request.silent()) {
      remember(() -> registry.begin(row(ranOn, request, settings, Optional.of(code))));
    }
    if (request.attempt()) {
      remember(() -> registry.addAttempt(record.kernelId()));
    }
    var result = converse(present, ranOn, request, settings, cell, results, client, message);
    remember(
        () -> {
          if (!request.silent() && !Tentative.is(request)) {
            registry.finish(request.executionId(), Json.text(result), Instant.now());
          }
          if (result.death().isEmpty()) {
            registry.touch(record.kernelId(), Instant.now(), KernelStatus.IDLE);
          }
        });
    return result;
  }

  /// A registry that cannot be written, for want of space above all, must not keep code from
  /// running, which may be about to make room, nor a result from its caller.
  static void remember(Runnable write) {
    try {
      write.run();
    } catch (Problem problem) {
      if (problem.code() != Problem.Code.STORE_FAILED) {
        throw problem;
      }
      LOG.log(System.Logger.Level.WARNING, problem.text());
    }
  }

  /// The row as it is now; the kernel may have been restarted while the caller waited.
  private KernelRecord current(KernelRecord record) {
    return registry
        .find(record.kernelId())
        .orElseThrow(() -> Lifecycle.unknown(record.name().orElse(record.kernelId())));
  }

  private ExecutionResult converse(
      Running present,
      KernelRecord record,
      ExecuteRequest request,
      Settings settings,
      Cell cell,
      Results results,
      KernelClient client,
      Message message) {
    try {
      client.converse(message, cell);
      cell.awaitBegin();
      return finish(present, record, timeout(request, settings), settings, cell, results);
    } catch (IOException e) {
      cell.gone();
      return died(record, cell, results);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return results.interrupted(cell, "the thread that waited for it was interrupted");
    } finally {
      client.forget(message.header().msgId());
    }
  }

  /// Sees a begun cell to its end, by force if need be.
  ExecutionResult finish(
      Running present,
      KernelRecord record,
      Duration timeout,
      Settings settings,
      Cell cell,
      Results results)
      throws InterruptedException {
    if (present.cancelled() && !cell.kernelGone()) {
      // Cancelled while it waited in the kernel behind somebody else's cell.
      stop(present);
    }
    boolean ended = awaitEnd(cell, timeout);
    boolean late = !ended;
    boolean killed = false;
    if (late) {
      if (!interruptTwice(record, cell, settings.interruptGrace())) {
        kernels.live(record.kernelId()).foreseen = Optional.of(Results.killed(timeout));
        kill(record);
        killed = true;
        awaitEnd(cell, Duration.ofSeconds(10));
      }
    }
    if (cell.kernelGone() || killed) {
      return died(record, cell, results);
    }
    return late ? results.timedOut(cell, timeout) : results.finished(cell, present.cancelled());
  }

  /// Code that was just leaving Python for a library may miss the first.
  private boolean interruptTwice(KernelRecord record, Cell cell, Duration grace)
      throws InterruptedException {
    var half = grace.dividedBy(2).plusMillis(1);
    interrupt(record);
    if (cell.awaitEnd(half)) {
      return true;
    }
    interrupt(record);
    return cell.awaitEnd(half);
  }

  /// Sees to the end of a cancelled execution: interrupts it until it heeds that, and when the
  /// grace period is over kills its kernel.
  void stop(Running cancelled) {
    Threads.start(
        "husk-cancel",
        () -> {
          long deadline = System.nanoTime() + defaults.interruptGrace().toNanos();
          while (!cancelled.result.isDone() && System.nanoTime() < deadline) {
            registry.find(cancelled.kernelId).ifPresent(interrupter);
            ended(cancelled, INTERRUPT_AGAIN);
          }
          if (!cancelled.result.isDone()) {
            registry.find(cancelled.kernelId).ifPresent(this::kill);
          }
        });
  }

  private static boolean ended(Running running, Duration limit) {
    try {
      running.result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      return running.result.isDone();
    }
  }

  private static boolean awaitEnd(Cell cell, Duration limit) throws InterruptedException {
    return cell.awaitEnd(limit.isZero() ? FOR_EVER : limit);
  }

  void kill(KernelRecord record) {
    var kernel = kernels.live(record.kernelId());
    kernel.killedHere = true;
    current(record).process().ifPresent(process -> Kernels.kill(kernel, process));
  }

  private ExecutionResult died(KernelRecord record, Cell cell, Results results) {
    // Only the process it ran on is dead; another may have been started in its place.
    if (kernels.closing()) {
      // Nothing is written down, so that whoever comes next finds it running and sees it through.
      throw new Problem(
          Problem.Code.DAEMON_UNAVAILABLE,
          "Husk is stopping; the code runs on",
          "its result can be fetched by its id: " + results.executionId());
    }
    var dead = kernels.markDead(record);
    if (dead.death().isEmpty()) {
      return results.interrupted(cell, "the connection to the kernel was lost; the kernel lives");
    }
    var cause = dead.death().orElse(Death.unknown("the kernel's process is gone"));
    registry
        .execution(results.executionId())
        .ifPresent(execution -> kernels.replayLastWords(execution, cell));
    return results.died(cell, cause, Results.lastWords(kernels, record.kernelId()));
  }

  static Duration timeout(ExecuteRequest request, Settings settings) {
    return request.timeout().orElse(settings.executionTimeout());
  }

  /// @param cell what the kernel is about to be told; empty if it is told nothing
  private static ExecutionRow row(
      KernelRecord record, ExecuteRequest request, Settings settings, Optional<String> cell) {
    var inFlight =
        new InFlight(
            Self.PROCESS,
            timeout(request, settings),
            request.outputLimit().orElse(settings.outputCharLimit()),
            request.code(),
            Optional.of(request.preview()),
            Optional.of(request.rollback()),
            cell.filter(told -> !told.equals(request.code())),
            cell.flatMap(_ -> record.process()));
    return new ExecutionRow(
        request.executionId(),
        record.kernelId(),
        cell.isPresent() ? request.executionId() : "",
        Json.text(inFlight),
        Instant.now(),
        Optional.empty(),
        Optional.empty());
  }
}
