package husk.core;

import husk.kernels.Cell;
import husk.kernels.KernelClient;
import husk.kernels.OutputLimits;
import husk.kernels.ProcFs;
import husk.kernels.ProcessTree;
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
import java.util.function.Consumer;

/// Runs executions: one at a time per kernel, in the order they came.
///
/// The clock of a cell starts when the kernel says that it has begun. At its limit it is
/// interrupted; if it does not heed that within the grace period its kernel is killed. Whatever it
/// had put out by then is part of the result.
final class Executor {
  /// Stands for "no limit"; long enough to be for ever, short enough not to overflow.
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private final Registry registry;
  private final Kernels kernels;
  private final Settings defaults;
  private final ShellCode shellCode;
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private final Consumer<KernelRecord> interrupter;

  Executor(
      Registry registry,
      Kernels kernels,
      Settings defaults,
      ShellCode shellCode,
      Consumer<KernelRecord> interrupter) {
    this.registry = registry;
    this.kernels = kernels;
    this.defaults = defaults;
    this.shellCode = shellCode;
    this.interrupter = interrupter;
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
    var present = new Running(request.executionId(), record.kernelId(), Thread.currentThread());
    if (running.putIfAbsent(request.executionId(), present) != null
        || registry.execution(request.executionId()).isPresent()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "there is already an execution `" + request.executionId() + "`",
          "choose a new id, or leave it out");
    }
    try {
      var result = inTurn(present, record, stateLost, request, settings, listener);
      present.result.complete(result);
      tellEnd(listener, result);
      return result;
    } catch (RuntimeException e) {
      present.result.completeExceptionally(e);
      throw e;
    } finally {
      running.remove(request.executionId());
    }
  }

  private static void tellEnd(ExecutionEvent.Listener listener, ExecutionResult result) {
    try {
      listener.on(new ExecutionEvent.Ended(result));
    } catch (RuntimeException gone) {
      // the result is kept; whoever left can fetch it
    }
  }

  private ExecutionResult inTurn(
      Running present,
      KernelRecord record,
      boolean stateLost,
      ExecuteRequest request,
      Settings settings,
      ExecutionEvent.Listener listener) {
    var limits = OutputLimits.of(request.outputLimit().orElse(settings.outputCharLimit()));
    var cell = new Cell(request.executionId(), limits, listener);
    var results = new Results(request.executionId(), stateLost);
    var turn = kernels.live(record.kernelId()).turn;
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      return results.cancelledBeforeStart(cell);
    }
    try {
      return send(present, record, request, settings, cell, results);
    } finally {
      turn.unlock();
    }
  }

  private ExecutionResult send(
      Running present,
      KernelRecord record,
      ExecuteRequest request,
      Settings settings,
      Cell cell,
      Results results) {
    var client = kernels.client(current(record));
    kernels.live(record.kernelId()).memoryKillsBefore = ProcFs.outOfMemoryKills();
    var stored = kernels.launch(record.kernelId());
    shellCode.load(request, stored, kernels.live(record.kernelId()), client);
    var message = message(client, request, stored);
    if (!present.sent(cell)) {
      return results.cancelledBeforeStart(cell);
    }
    if (!request.silent()) {
      registry.touch(record.kernelId(), Instant.now(), KernelStatus.BUSY);
      registry.begin(row(record, request, settings, message));
    }
    if (request.attempt()) {
      registry.addAttempt(record.kernelId());
    }
    var result = converse(present, record, request, settings, cell, results, client, message);
    if (!request.silent()) {
      registry.finish(request.executionId(), Json.text(result), Instant.now());
    }
    if (result.death().isEmpty()) {
      registry.touch(record.kernelId(), Instant.now(), KernelStatus.IDLE);
    }
    return result;
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
      awaitBegin(present, cell);
      return finish(present, record, timeout(request, settings), settings, cell, results);
    } catch (IOException e) {
      cell.gone();
      return died(record, cell, results, Optional.empty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return results.cancelledBeforeStart(cell);
    } finally {
      client.forget(message.header().msgId());
    }
  }

  /// A cancelled call whose cell waits behind somebody else's cannot be taken back from the kernel;
  /// it is interrupted as soon as it begins.
  private static void awaitBegin(Running present, Cell cell) throws InterruptedException {
    while (true) {
      try {
        cell.awaitBegin();
        return;
      } catch (InterruptedException e) {
        if (!present.cancelled()) {
          throw e;
        }
      }
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
      interrupt(record);
    }
    boolean ended = awaitEnd(cell, timeout);
    boolean late = !ended;
    boolean killed = false;
    if (late) {
      interrupt(record);
      if (!awaitEnd(cell, settings.interruptGrace())) {
        kill(record);
        killed = true;
        awaitEnd(cell, Duration.ofSeconds(10));
      }
    }
    if (cell.kernelGone() || killed) {
      return died(record, cell, results, killed ? Optional.of(timeout) : Optional.empty());
    }
    return late ? results.timedOut(cell, timeout) : results.finished(cell, present.cancelled());
  }

  private static boolean awaitEnd(Cell cell, Duration limit) throws InterruptedException {
    return cell.awaitEnd(limit.isZero() ? FOR_EVER : limit);
  }

  void kill(KernelRecord record) {
    kernels.live(record.kernelId()).killedHere = true;
    current(record).process().ifPresent(process -> ProcessTree.kill(process, record.kernelId()));
  }

  private ExecutionResult died(
      KernelRecord record, Cell cell, Results results, Optional<Duration> killedAfter) {
    var row = registry.find(record.kernelId()).orElse(record);
    var dead =
        killedAfter.isEmpty()
            ? kernels.markDead(row)
            : kernels.markDead(row, Results.killed(killedAfter.get()));
    var cause = dead.death().orElse(Death.unknown("the kernel's process is gone"));
    registry
        .execution(results.executionId())
        .ifPresent(execution -> kernels.replayLastWords(execution, cell));
    return results.died(cell, cause, Results.lastWords(kernels, record.kernelId()));
  }

  static Duration timeout(ExecuteRequest request, Settings settings) {
    return request.timeout().orElse(settings.executionTimeout());
  }

  private static ExecutionRow row(
      KernelRecord record, ExecuteRequest request, Settings settings, Message message) {
    var inFlight =
        new InFlight(
            Self.PROCESS,
            timeout(request, settings),
            request.outputLimit().orElse(settings.outputCharLimit()),
            request.code());
    return new ExecutionRow(
        request.executionId(),
        record.kernelId(),
        message.header().msgId(),
        Json.text(inFlight),
        Instant.now(),
        Optional.empty(),
        Optional.empty());
  }

  private Message message(KernelClient client, ExecuteRequest request, StoredLaunch stored) {
    var content = Json.MAPPER.createObjectNode();
    content.put("code", shellCode.of(request, stored));
    content.put("silent", false);
    content.put("store_history", !request.silent());
    content.set("user_expressions", Json.MAPPER.createObjectNode());
    content.put("allow_stdin", false);
    content.put("stop_on_error", false);
    var metadata = Json.MAPPER.createObjectNode();
    metadata.putObject("husk").put("journal", !request.silent());
    return client.request("execute_request", content).withMetadata(metadata);
  }
}
