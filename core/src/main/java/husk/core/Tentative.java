package husk.core;

import husk.model.ExecuteRequest;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import husk.model.Rollback;
import husk.store.Registry;
import husk.wire.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Executions whose effects may not stay: those of a transaction, and those that are previewed.
final class Tentative {
  private final Registry registry;
  private final UnaryOperator<KernelRecord> current;
  private volatile Optional<Transactions> transactions = Optional.empty();
  private volatile Optional<Previews> previews = Optional.empty();

  /// @param current the row of a kernel as it is now
  Tentative(Registry registry, UnaryOperator<KernelRecord> current) {
    this.registry = registry;
    this.current = current;
  }

  /// Who takes back what an execution did.
  interface Transactions {
    /// A state to come back to, for whoever has the kernel's turn.
    Transaction begin(KernelRecord record);
  }

  /// Ended by closing it; what was taken back stays so.
  interface Transaction extends AutoCloseable {
    void takeBack(KernelRecord record);

    @Override
    void close();
  }

  /// Who tells what an execution did, and leaves open whether it stays.
  interface Previews {
    /// Refuses, or sees the state before it, for whoever has the kernel's turn.
    Preview begin(KernelRecord record, ExecuteRequest request);
  }

  /// Ended by closing it. The state before it goes with it, unless it is left open.
  interface Preview extends Transaction {
    /// The result with what it did.
    ExecutionResult told(ExecutionResult result, KernelRecord now);

    void leaveOpen();
  }

  /// Both are known only once everything that they need is.
  void by(Transactions knownTransactions, Previews knownPreviews) {
    transactions = Optional.of(knownTransactions);
    previews = Optional.of(knownPreviews);
  }

  /// Whether the result of an execution is not the last word on it.
  static boolean is(ExecuteRequest request) {
    return request.preview() || request.rollback() != Rollback.NEVER;
  }

  /// Runs it, with a state to come back to where the request asks for one.
  ExecutionResult run(
      KernelRecord record, ExecuteRequest request, Supplier<ExecutionResult> execution) {
    if (!is(request)) {
      return execution.get();
    }
    return request.preview()
        ? preview(record, request, execution)
        : transact(record, request, execution);
  }

  private ExecutionResult transact(
      KernelRecord record, ExecuteRequest request, Supplier<ExecutionResult> execution) {
    try (var transaction = transactions.orElseThrow().begin(current.apply(record))) {
      var result = execution.get();
      return decided(
          request,
          result,
          () -> {
            if (!request.rollback().applies(result.ok())) {
              return result;
            }
            transaction.takeBack(current.apply(record));
            return result.takenBack();
          });
    }
  }

  /// With its effects told, and left to be decided on unless the request has decided.
  private ExecutionResult preview(
      KernelRecord record, ExecuteRequest request, Supplier<ExecutionResult> execution) {
    try (var preview = previews.orElseThrow().begin(current.apply(record), request)) {
      var ended = execution.get();
      return decided(
          request,
          ended,
          () -> concluded(preview, current.apply(record), request.rollback(), ended));
    }
  }

  /// Tells what a previewed execution did, and takes it back if that was asked for.
  static ExecutionResult concluded(
      Preview preview, KernelRecord record, Rollback rollback, ExecutionResult ended) {
    var result = preview.told(ended, record);
    if (!rollback.applies(result.ok())) {
      preview.leaveOpen();
      return result;
    }
    preview.takeBack(record);
    return result.takenBack();
  }

  /// Keeps the result once it is known what becomes of the execution's effects: the first that is
  /// kept stands.
  private ExecutionResult decided(
      ExecuteRequest request, ExecutionResult ended, Supplier<ExecutionResult> decision) {
    var told = ended;
    try {
      told = decision.get();
      return told;
    } finally {
      var last = told;
      Executor.remember(
          () -> registry.finish(request.executionId(), Json.text(last), Instant.now()));
    }
  }
}
