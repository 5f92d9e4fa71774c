package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.Against;
import husk.model.FileChanges;
import husk.model.KernelOptions;
import husk.model.KernelPlace;
import husk.sandboxes.SandboxRequest;
import husk.testkit.LeakDetector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels in sandboxes of their own: their files are compared too.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HousedDiffTest extends DiffContract {
  @Override
  KernelOptions options() {
    return host.options()
        .at(new KernelPlace(Optional.of("bubblewrap"), Optional.empty(), Optional.empty()));
  }

  @Test
  void filesThatCameChangedAndWentAreToldByTheirPathsInside() {
    make("a");
    value(
        "a",
        "import os; open('kept', 'w').write('k'); open('old', 'w').write('1');"
            + " open('gone', 'w').write('2')");
    checkpoint("a", "then");

    value(
        "a",
        "os.remove('gone'); open('old', 'w').write('X'); open('kept', 'a').close();"
            + " os.makedirs('d'); open('d/ü', 'w').write('3');"
            + " open(os.path.expanduser('~/note'), 'w').write('4')");

    assertThat(diff("a").files())
        .contains(
            new FileChanges(
                List.of("/workspace/d/", "/workspace/d/ü", "/home/husk/note"),
                List.of("/workspace/old"),
                List.of("/workspace/gone")));
  }

  @Test
  void temporaryFilesAreComparedToo() {
    make("a");
    var longName = "n".repeat(150);
    value(
        "a",
        "import os; os.chdir('/tmp'); open('old', 'w').write('1'); open('gone', 'w').write('2');"
            + " open('kept', 'w').write('3'); os.symlink('old', 'link')");
    checkpoint("a", "then");

    value(
        "a",
        "os.remove('gone'); open('old', 'w').write('X'); os.utime('kept', (1, 1));"
            + " os.mkdir('d'); open('d/%s', 'w').write('4'); os.remove('link');".formatted(longName)
            + " os.symlink('kept', 'link'); open('/var/tmp/ü', 'w').write('5')");

    var diff = diff("a");
    assertThat(diff.partial()).isFalse();
    assertThat(diff.files())
        .contains(
            new FileChanges(
                List.of("/tmp/d/", "/tmp/d/" + longName, "/var/tmp/ü"),
                List.of("/tmp/link", "/tmp/old"),
                List.of("/tmp/gone")));
  }

  @Test
  void aTemporaryFolderThatCannotBeReadIsSaidToBeMissingFromTheComparison() {
    make("a");
    value("a", "import os; os.mkdir('/tmp/shut', 0)");
    checkpoint("a", "then");
    assertThat(diff("a").partial()).isTrue();
  }

  @Test
  void filesOfAForkAreComparedWithThoseOfItsOriginal() {
    make("a");
    value("a", "open('both', 'w').write('1'); open('mine', 'w').write('2')");
    host.core.fork("a", List.of(Optional.of("b")), false, host.caller());
    value("b", "import os; os.remove('mine'); open('both', 'w').write('9'); open('its', 'w')");

    var files = host.core.diff("b", Against.kernel("a")).files().orElseThrow();

    assertThat(files.added()).containsExactly("/workspace/its");
    assertThat(files.changed()).containsExactly("/workspace/both");
    assertThat(files.deleted()).containsExactly("/workspace/mine");
    assertThat(value("a", "open('both').read()")).isEqualTo("'1'");
  }

  @Test
  void filesOfASandboxThatSeveralShareAreNotCompared() {
    host.core.createSandbox(SandboxRequest.named("ours"), host.caller());
    var shared =
        host.options().at(new KernelPlace(Optional.empty(), Optional.of("ours"), Optional.empty()));
    host.core.create(Optional.of("a"), shared, host.caller());
    value("a", "x = 1; open('f', 'w').write('1')");
    checkpoint("a", "then");
    value("a", "x = 2; open('f', 'w').write('2')");

    var diff = diff("a");

    assertThat(names(diff.variables().changed())).containsExactly("x");
    assertThat(diff.files()).isEmpty();
  }

  @Test
  void aValueThatTakesAllMemoryToLookAtCostsTheLookAndNotTheKernel() {
    make("a");
    value(
        "a",
        "class Greedy:\n  def __reduce__(self): return str, (b'z' * 4_000_000_000,)\n"
            + "x = 1; greedy = Greedy()");
    checkpoint("a", "then");
    value("a", "x = 2");

    var diff = diff("a");

    assertThat(names(diff.variables().changed())).containsExactly("x");
    assertThat(value("a", "x")).isEqualTo("2");
  }

  @Test
  void comparingMakesNoSandbox() {
    make("a");
    checkpoint("a", "then");
    diff("a");
    assertThat(host.core.sandboxes().list(Map.of())).hasSize(1);
    assertThat(value("a", "import os; len([p for p in os.listdir('/proc') if p.isdigit()]) < 5"))
        .isEqualTo("True");
  }
}
