package husk.api.sse;

import husk.core.Service;
import husk.kernels.PrivateFiles;
import husk.model.ExecutionEvent;
import husk.model.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The logs of executions that are, or were lately, streamed.
public final class EventLogs implements AutoCloseable {
  private static final long KEPT_NANOS = Duration.ofMinutes(10).toNanos();
  private static final int MOST_ENDED = 256;

  private final Service core;
  private final Path directory;
  private final Map<String, EventLog> logs = new ConcurrentHashMap<>();

  /// Keeps logs of a core's executions.
  ///
  /// @param directory for what does not fit into memory
  public EventLogs(Service core, Path directory) {
    this.core = core;
    this.directory = PrivateFiles.directory(directory);
  }

  Service core() {
    return core;
  }

  Optional<EventLog> find(String executionId) {
    return Optional.ofNullable(logs.get(executionId));
  }

  /// Runs an execution on a thread of its own, so that it goes on whoever listens.
  EventLog begin(String executionId, Consumer<ExecutionEvent.Listener> execution) {
    forgetOld();
    var log = new EventLog(executionId, directory);
    if (logs.putIfAbsent(executionId, log) != null) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "there is already an execution `" + executionId + "`",
          "choose a new id, or send `Last-Event-ID` to go on with that one");
    }
    Thread.ofVirtual().name("husk-streamed-execution").start(() -> run(log, execution));
    return log;
  }

  /// A log of an execution that was not streamed, or whose log is gone: nothing but its result.
  ///
  /// @param gap whether the caller has seen events of it, so that some are missing
  EventLog afterwards(String executionId, boolean gap) {
    core.result(executionId, false);
    var log = new EventLog(executionId, directory);
    if (gap) {
      log.gap("the events in between are no longer kept");
    }
    Thread.ofVirtual()
        .name("husk-awaited-execution")
        .start(() -> run(log, listener -> awaitResult(executionId, listener)));
    return log;
  }

  private void awaitResult(String executionId, ExecutionEvent.Listener listener) {
    listener.on(new ExecutionEvent.Ended(core.result(executionId, true).orElseThrow()));
  }

  private static void run(EventLog log, Consumer<ExecutionEvent.Listener> execution) {
    try {
      execution.accept(log);
      log.end(null);
    } catch (Problem problem) {
      log.end(problem);
    } catch (RuntimeException e) {
      log.end(new Problem(Problem.Code.INTERNAL, "unexpected failure: " + e).causedBy(e));
    }
  }

  private void forgetOld() {
    var ended =
        logs.values().stream()
            .filter(EventLog::ended)
            .sorted(Comparator.comparingLong(EventLog::endedNanos))
            .toList();
    for (int i = 0; i < ended.size(); i++) {
      var log = ended.get(i);
      boolean old = System.nanoTime() - log.endedNanos() > KEPT_NANOS;
      if (old || ended.size() - i > MOST_ENDED) {
        logs.remove(log.executionId);
        log.close();
      }
    }
  }

  @Override
  public void close() {
    logs.values().forEach(EventLog::close);
    logs.clear();
    PrivateFiles.delete(directory);
  }
}
