package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelOptions;
import husk.model.VariableChange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/// Kernels, wherever they live, for tests of their state.
abstract class LiveFixture {
  final CoreHost host = new CoreHost();

  @AfterEach
  void close() {
    host.core.destroyAll();
    host.core.sandboxes().clean(true);
    host.close();
  }

  abstract KernelOptions options();

  void make(String name) {
    host.core.create(Optional.of(name), options(), host.caller());
  }

  ExecutionResult run(String kernel, ExecuteRequest request) {
    return host.core.execute(
        kernel, request, Optional.empty(), host.caller(), ExecutionEvent.Listener.NONE);
  }

  String value(String kernel, String code) {
    var result = run(kernel, ExecuteRequest.of(code));
    assertThat(result.ok()).as(() -> result + "\n" + host.core.log(kernel)).isTrue();
    return result.returnValue().orElse("");
  }

  void checkpoint(String kernel, String label) {
    host.core.checkpoint(kernel, Optional.of(label), false, host.caller());
  }

  static List<String> names(List<VariableChange> changes) {
    return changes.stream().map(VariableChange::name).toList();
  }
}
