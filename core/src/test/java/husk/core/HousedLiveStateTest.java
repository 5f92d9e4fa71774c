package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.kernels.ProcFs;
import husk.model.Death;
import husk.model.ExecuteRequest;
import husk.model.KernelOptions;
import husk.model.KernelPlace;
import husk.model.KernelStatus;
import husk.model.Rollback;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels in sandboxes of their own: their files go with them.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HousedLiveStateTest extends LiveStateContract {
  @Override
  KernelOptions options() {
    return host.options()
        .at(new KernelPlace(Optional.of("bubblewrap"), Optional.empty(), Optional.empty()));
  }

  @Test
  void forkHasTheFilesAndChangesOnlyItsOwn() {
    make("a");
    value("a", "open('f', 'w').write('one'); import os; os.makedirs('d/e'); os.symlink('f', 'l')");
    fork("a", "b");
    assertThat(value("b", "open('l').read(), os.listdir('d')")).isEqualTo("('one', ['e'])");
    value("b", "open('f', 'w').write('two'); os.rmdir('d/e')");
    assertThat(value("a", "open('f').read(), os.listdir('d')")).isEqualTo("('one', ['e'])");
  }

  @Test
  void rollbackBringsFilesBack() {
    make("a");
    value("a", "open('kept', 'w').write('old'); open('gone', 'w').write('x')");
    host.core.checkpoint("a", Optional.empty(), false, host.caller());
    value(
        "a",
        "import os; open('kept', 'w').write('new'); os.remove('gone'); open('extra',"
            + " 'w').write('y')");
    host.core.rollback("a", Optional.empty());
    assertThat(value("a", "import os; open('kept').read(), sorted(os.listdir('.'))"))
        .isEqualTo("('old', ['gone', 'kept'])");
  }

  @Test
  void kernelWhoseRollbackFailedIsDeadAndComesBackAnew() throws IOException {
    make("a");
    value("a", "x = 1");
    checkpoint("a", "c");
    Files.delete(indexOfKeptFiles());
    assertThatThrownBy(() -> host.core.rollback("a", Optional.empty()))
        .hasMessageContaining("never completed");
    assertThat(host.core.require("a").status()).isEqualTo(KernelStatus.DEAD);
    assertThat(value("a", "'x' in globals()")).isEqualTo("False");
  }

  private Path indexOfKeptFiles() throws IOException {
    try (var all = Files.walk(host.home.path())) {
      return all.filter(path -> path.endsWith("workspace.index")).findFirst().orElseThrow();
    }
  }

  @Test
  void checkpointRightAfterAForkSharesNothingWithWhatTheForkLeaves() {
    make("a");
    value("a", "for i in range(3000): open('f%d' % i, 'w').close()");
    for (int time = 0; time < 4; time++) {
      fork("a", "b" + time);
      checkpoint("a", "c" + time);
    }
    assertThat(host.core.checkpoints("a")).hasSize(4);
  }

  @Test
  void fileThatIsOnlyWrittenToInMemoryIsTakenBackTimeAndAgain() {
    make("a");
    value(
        "a",
        "import mmap; f = open('m', 'w+b'); f.truncate(9); m = mmap.mmap(f.fileno(), 9); m[0] ="
            + " 65");
    value("a", "import time; time.sleep(0.1)");
    checkpoint("a", "c");
    for (int time = 0; time < 3; time++) {
      value("a", "m[0] = 66");
      host.core.rollback("a", Optional.of("c"));
      assertThat(value("a", "m[:1], open('m', 'rb').read(1)")).isEqualTo("(b'A', b'A')");
    }
  }

  @Test
  void connectionToADatabaseWritesToTheFileOfItsOwnKernel() {
    make("a");
    value("a", "import sqlite3; db = sqlite3.connect('d'); db.execute('create table t (n)')");
    checkpoint("a", "c");
    fork("a", "b");
    var write = "db.execute('insert into t values (1)').rowcount, db.commit()";
    assertThat(value("a", write)).isEqualTo("(1, None)");
    assertThat(value("b", write)).isEqualTo("(1, None)");
    host.core.rollback("a", Optional.of("c"));
    assertThat(value("a", write)).isEqualTo("(1, None)");
    var count = "sqlite3.connect('d').execute('select count(*) from t').fetchall()";
    assertThat(value("a", count)).isEqualTo("[(1,)]");
    assertThat(value("b", count)).isEqualTo("[(1,)]");
  }

  @Test
  void openFileIsWhereItWasAfterARollback() {
    make("a");
    value("a", "f = open('log', 'w+'); f.write('abc'); f.flush()");
    host.core.checkpoint("a", Optional.empty(), false, host.caller());
    value("a", "f.write('def'); f.flush()");
    host.core.rollback("a", Optional.empty());
    assertThat(value("a", "f.write('X'); f.flush(); open('log').read()")).isEqualTo("'abcX'");
  }

  @Test
  void temporaryFilesGoWithTheKernelOpenOnesToo() {
    make("a");
    value(
        "a",
        "import os, tempfile; open('/tmp/n', 'w').write('old'); os.mkdir('/tmp/empty');"
            + " t = tempfile.NamedTemporaryFile(); t.write(b'abc'); t.flush();"
            + " open(b'/tmp/\\xff', 'w').close()");
    fork("a", "b");
    var look = "t.seek(0); open('/tmp/n').read(), os.listdir('/tmp/empty'), t.read()";
    assertThat(value("b", look)).isEqualTo("('old', [], b'abc')");
    value("b", "open('/tmp/n', 'w').write('the fork was here')");
    host.core.checkpoint("a", Optional.empty(), false, host.caller());
    value("a", "open('/tmp/n', 'w').write('new'); open('/tmp/extra', 'w'); t.write(b'def')");
    host.core.rollback("a", Optional.empty());
    assertThat(value("a", look)).isEqualTo("('old', [], b'abc')");
    assertThat(value("a", "os.path.exists('/tmp/extra')")).isEqualTo("False");
  }

  @Test
  void temporaryFolderThatWasEmptyIsEmptyAgain() {
    make("a");
    run("a", ExecuteRequest.of("open('/tmp/half', 'w')\n1/0").rollingBack(Rollback.ON_ERROR));
    assertThat(value("a", "import os; os.path.exists('/tmp/half')")).isEqualTo("False");
  }

  @Test
  void temporaryFileThatCannotBeReadKeepsNobodyFromGoingBack() {
    make("a");
    value("a", "x = 1; open('/tmp/closed', 'w').close(); import os; os.chmod('/tmp/closed', 0)");
    host.core.checkpoint("a", Optional.empty(), false, host.caller());
    value("a", "x = 2");
    host.core.rollback("a", Optional.empty());
    assertThat(value("a", "x, os.path.exists('/tmp/closed')")).isEqualTo("(1, True)");
  }

  @Test
  void filesOfAFailedCellAreTakenBack() {
    make("a");
    run("a", ExecuteRequest.of("open('half', 'w').write('x')\n1/0").rollingBack(Rollback.ON_ERROR));
    assertThat(value("a", "import os; os.listdir('.')")).isEqualTo("[]");
  }

  @Test
  void kernelKilledForWantOfMemoryComesBackAtItsLastCheckpoint() {
    make("a");
    value("a", "x = 'then'; held = b'y' * 100_000_000");
    host.core.checkpoint("a", Optional.empty(), false, host.caller());
    var died = run("a", ExecuteRequest.of("z = b'z' * 4_000_000_000"));
    assertThat(died.death().orElseThrow().cause()).isEqualTo(Death.Cause.OUT_OF_MEMORY);
    assertThat(value("a", "x, len(held)")).isEqualTo("('then', 100000000)");
  }

  @Test
  void checkpointsThatLeaveTheSandboxNoMemoryGoTheOldestFirst() {
    make("a");
    var evicted = new ArrayList<String>();
    for (int i = 0; i < 6; i++) {
      value("a", "held = bytearray(b'%d') * 90_000_000".formatted(i));
      var taken = host.core.checkpoint("a", Optional.of("c" + i), false, host.caller());
      taken.evicted().forEach(one -> evicted.add(one.label().orElseThrow()));
    }
    assertThat(evicted).startsWith("c0").doesNotContain("c5");
    assertThat(value("a", "held[0], len(held)")).isEqualTo("(53, 90000000)");
  }

  @Test
  void checkpointsThatOnlyShareTheirKernelsMemoryStay() {
    make("a");
    value("a", "held = bytearray(b'x') * 420_000_000");
    for (int i = 0; i < 3; i++) {
      var taken = host.core.checkpoint("a", Optional.of("c" + i), false, host.caller());
      assertThat(taken.evicted()).isEmpty();
    }
  }

  @Test
  void forkThatRanOutOfMemorySaysSo() {
    make("a");
    fork("a", "b");
    var died = run("b", ExecuteRequest.of("z = b'z' * 4_000_000_000"));
    assertThat(died.death().orElseThrow().cause()).isEqualTo(Death.Cause.OUT_OF_MEMORY);
    assertThat(value("a", "'alive'")).isEqualTo("'alive'");
  }

  @Test
  void forkIsShutInAsItsOriginalAndSeesNothingOfIt() {
    make("a");
    fork("a", "b");
    var status =
        "[l.split()[1] for l in open('/proc/self/status') if l.startswith(('CapEff', 'NoNewPrivs',"
            + " 'Seccomp:'))]";
    assertThat(value("b", status)).isEqualTo(value("a", status));
    assertThat(
            value(
                "b",
                "import os; os.getuid(), os.getcwd(), len([p for p in os.listdir('/proc') if"
                    + " p.isdigit()])"))
        .isEqualTo(
            value(
                "a",
                "import os; os.getuid(), os.getcwd(), len([p for p in os.listdir('/proc') if"
                    + " p.isdigit()])"));
    assertThat(host.core.sandboxes().list(java.util.Map.of())).hasSize(2);
  }

  @Test
  void checkpointsEndWithTheSandbox() {
    make("a");
    var frozen = host.core.checkpoint("a", Optional.empty(), false, host.caller()).checkpoint();
    host.core.sandboxes().clean(true);
    assertThat(ProcFs.alive(frozen.process())).isFalse();
    assertThat(host.core.checkpoints("a")).isEmpty();
  }

  @Test
  void forkOutlivesItsOriginal() {
    make("a");
    value("a", "x = 7; open('f', 'w').write('here')");
    fork("a", "b");
    host.core.destroy("a");
    assertThat(value("b", "x, open('f').read()")).isEqualTo("(7, 'here')");
    fork("b", "c");
    assertThat(value("c", "x")).isEqualTo("7");
  }
}
