package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Against;
import husk.model.ExecuteRequest;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.model.StateDiff;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What is told of how a kernel differs from a checkpoint or from another kernel, wherever it
/// lives.
abstract class DiffContract extends LiveFixture {
  StateDiff diff(String kernel) {
    return host.core.diff(kernel, Against.LATEST);
  }

  @Test
  void whatCameWentAndChangedIsToldByNameWithItsLooks() {
    make("a");
    value("a", "kept = [1, 2]; gone = 'x'; grown = [0]; same_size = 1");
    checkpoint("a", "then");

    value("a", "del gone; grown += [1, 2]; same_size = 2; new = {'k': 1}; import json");
    var diff = diff("a");

    assertThat(diff.against()).isEqualTo("then");
    assertThat(diff.partial()).isFalse();
    assertThat(names(diff.variables().added())).containsExactly("json", "new");
    assertThat(names(diff.variables().removed())).containsExactly("gone");
    assertThat(names(diff.variables().changed())).containsExactly("grown", "same_size");
    var grown = diff.variables().changed().getFirst();
    assertThat(grown.before().orElseThrow().shape()).contains(List.of(1L));
    assertThat(grown.after().orElseThrow().shape()).contains(List.of(3L));
    var same = diff.variables().changed().getLast();
    assertThat(same.before()).isEqualTo(same.after());
    assertThat(same.after().orElseThrow().type()).isEqualTo("int");
    assertThat(diff.variables().added().getLast().before()).isEmpty();
    assertThat(diff.variables().removed().getFirst().after()).isEmpty();
  }

  @Test
  void nothingThatStayedIsTold() {
    make("a");
    value(
        "a",
        """
        import random, threading, numpy
        def f(n): return n + 1
        class C:
          def m(self): return 1
        c = C(); lock = threading.Lock(); g = (n for n in [1]); rng = random.Random(7)
        table = numpy.zeros((100, 100)); words = {'b', 'a', 'c'}; itself = []; itself.append(itself)
        """);
    checkpoint("a", "then");

    value("a", "f(1); c.m(); sorted(words); table.sum()");

    assertThat(diff("a").variables().none()).as(diff("a").toString()).isTrue();
    value("a", "rng.random(); table[99, 99] = 1; g = (n for n in [1]); c.x = 1");
    assertThat(names(diff("a").variables().changed())).containsExactly("c", "g", "rng", "table");
  }

  @Test
  void aCheckpointIsComparedByItsLabelAndStaysAsItIs() {
    make("a");
    value("a", "x = 1");
    checkpoint("a", "first");
    value("a", "x = 2");
    checkpoint("a", "second");

    assertThat(diff("a").variables().none()).isTrue();
    for (int twice = 0; twice < 2; twice++) {
      var since = host.core.diff("a", Against.checkpoint("first"));
      assertThat(names(since.variables().changed())).containsExactly("x");
    }
    host.core.rollback("a", Optional.of("first"));
    assertThat(value("a", "x")).isEqualTo("1");
  }

  @Test
  void comparingLeavesNoKernelAndNoTraceInTheKernel() {
    make("a");
    value("a", "import random, os; random.seed(1); x = 1");
    checkpoint("a", "then");
    value("a", "state = random.getstate(); seen = len(os.listdir('/proc/self/fd')); 42");

    diff("a");

    assertThat(host.core.list()).extracting(KernelRecord::name).containsExactly(Optional.of("a"));
    assertThat(host.core.checkpoints("a")).hasSize(1);
    assertThat(value("a", "_, random.getstate() == state, len(os.listdir('/proc/self/fd')) - seen"))
        .isEqualTo("(42, True, 0)");
    assertThat(run("a", ExecuteRequest.of("1")).executionCount()).contains(4);
  }

  @Test
  void aForkIsComparedWithItsOriginal() {
    make("a");
    value("a", "x = 1; mine = 1; shared = [1, 2, 3]");
    host.core.fork("a", List.of(Optional.of("b")), false, host.caller());
    value("b", "x = 2; del mine; its = 5");

    var diff = host.core.diff("b", Against.kernel("a"));

    assertThat(diff.against()).isEqualTo("a");
    assertThat(names(diff.variables().added())).containsExactly("its");
    assertThat(names(diff.variables().removed())).containsExactly("mine");
    assertThat(names(diff.variables().changed())).containsExactly("x");
    assertThat(names(host.core.diff("a", Against.kernel("b")).variables().added()))
        .containsExactly("mine");
    assertThat(host.core.diff("a", Against.kernel("a")).variables().none()).isTrue();
  }

  @Test
  void valuesThatResistAreToldAsFarAsTheyLetThemselves() {
    make("a");
    value(
        "a",
        """
        class Bad:
          shape = property(lambda self: 1/0)
          def __sizeof__(self): raise SystemExit
          def __reduce__(self): print('noise'); raise KeyboardInterrupt
        class Deadly:
          def __reduce__(self): import os; os._exit(1)
        bad = Bad(); deadly = Deadly(); last = 1
        """);
    checkpoint("a", "then");
    value("a", "bad = Bad(); last = 2");

    var diff = diff("a");

    assertThat(names(diff.variables().changed())).contains("bad", "last").doesNotContain("deadly");
    assertThat(diff.partial()).isTrue();
    var bad = diff.variables().changed().getFirst().after().orElseThrow();
    assertThat(bad.type()).isEqualTo("Bad");
    assertThat(bad.shape()).isEmpty();
    assertThat(bad.size()).isEmpty();
    assertThat(run("a", ExecuteRequest.of("last")).output()).isEmpty();
  }

  @Test
  void whatIsNotThereCannotBeComparedWith() {
    make("a");
    assertThatThrownBy(() -> diff("a")).hasMessageContaining("no checkpoint");
    assertThatThrownBy(() -> host.core.diff("a", Against.checkpoint("nope")))
        .isInstanceOfSatisfying(
            Problem.class, p -> assertThat(p.code()).isEqualTo(Problem.Code.CHECKPOINT_NOT_FOUND));
    assertThatThrownBy(() -> host.core.diff("a", Against.kernel("nobody")))
        .isInstanceOfSatisfying(
            Problem.class, p -> assertThat(p.code()).isEqualTo(Problem.Code.KERNEL_NOT_FOUND));
  }
}
