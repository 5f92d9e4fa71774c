package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.kernels.ProcFs;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.KernelOptions;
import husk.model.KernelPlace;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.sandboxes.SandboxRequest;
import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import husk.store.SqliteRegistry;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels that ran before anybody asked: given away once, and no different from others.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReadyKernelsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CoreHost host = new CoreHost();
  private final SqliteRegistry registry = SqliteRegistry.open(host.places.registry());

  ReadyKernelsTest() {
    host.variables.remove("HUSK_BACKEND");
  }

  @AfterEach
  void close() {
    registry.close();
    host.close();
  }

  private KernelRecord make(String name, KernelOptions options) {
    return host.core.create(Optional.of(name), options, host.caller());
  }

  private KernelRecord make(String name) {
    return make(name, KernelOptions.NONE);
  }

  private String value(String kernel, String code) {
    var result =
        host.core.execute(
            kernel,
            ExecuteRequest.of(code),
            Optional.empty(),
            host.caller(),
            ExecutionEvent.Listener.NONE);
    assertThat(result.ok()).as(result.toString()).isTrue();
    return result.returnValue().orElse("");
  }

  /// The ids of the kernels that wait.
  private List<String> waiting() {
    return registry.sandboxes().list().stream()
        .filter(row -> row.status() == Status.READY)
        .map(SandboxRow::labels)
        .filter(labels -> labels.containsKey(SandboxRequest.KERNEL_LABEL))
        .map(labels -> labels.getOrDefault(SandboxRequest.KERNEL_LABEL, ""))
        .toList();
  }

  private List<String> filled() {
    Eventually.until(
        PATIENCE,
        () -> host.core.kernelsReady() == 2 && waiting().size() == 2,
        () -> "ready: " + host.core.kernelsReady() + ", waiting: " + waiting());
    return waiting();
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    Eventually.until(
        PATIENCE,
        () -> ProcFs.all().stream().noneMatch(stat -> stat.pid() == pid),
        () -> "process " + pid + " lives");
  }

  @Test
  void nextToAskGetsOneThatWaitedAndNobodyGetsItAgain() {
    var cold = make("cold").kernelId();
    var waited = filled();
    var first = make("first").kernelId();
    var second = make("second").kernelId();
    assertThat(waited).contains(first, second).doesNotContain(cold);
    assertThat(first).isNotEqualTo(second);
    assertThat(value("first", "1 + 1")).isEqualTo("2");
    host.core.destroy("first");
    assertThat(make("third").kernelId()).isNotEqualTo(first);
  }

  @Test
  void oneThatWaitedIsAsAFreshOneIs() throws IOException {
    var look =
        """
        import os, re, resource, signal, sys, threading
        def file(path):
            with open(path) as opened:
                return opened.read()
        def seen():
            status = [line for line in file('/proc/self/status').splitlines()
                      if re.match('Cap|NoNew|Seccomp|Uid|Gid|Groups|Sig|Threads|Shd', line)]
            mounts = sorted(re.sub('[0-9a-f]{32}', 'ID', ' '.join(line.split()[3:])) for line in file('/proc/self/mountinfo').splitlines())
            mounts = [re.sub('(size|nr_inodes|uid|gid|master:|shared:)=?[0-9a-z]+', '', line) for line in mounts]
            cgroups = re.sub('[0-9a-f]{32}', 'ID', file('/proc/self/cgroup'))
            limits = [resource.getrlimit(getattr(resource, n)) for n in dir(resource) if n.startswith('RLIMIT')]
            env = {k: v for k, v in os.environ.items() if k != 'HUSK_KERNEL_ID'}
            fds = sorted(re.sub('[0-9a-f]{32}|[0-9]+', 'N', os.readlink('/proc/self/fd/' + n)) for n in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + n))
            pids = sorted(int(p) for p in os.listdir('/proc') if p.isdigit())
            return [status, mounts, cgroups, limits, sorted(env.items()), fds, pids, os.getcwd(), os.getpid(), os.getsid(0), os.umask(0o22),
                    sys.path, sys.argv, sys.dont_write_bytecode, [t.name for t in threading.enumerate()],
                    os.listdir('/workspace'), os.listdir('/tmp'), os.listdir('/'), signal.getsignal(signal.SIGINT).__name__,
                    sorted(name for name in globals() if not name.startswith('_'))]
        seen()
        """;
    make("cold");
    filled();
    make("warm");
    assertThat(value("warm", look)).isEqualTo(value("cold", look)).contains("/workspace");
    var count = "get_ipython().execution_count";
    assertThat(value("warm", count)).isEqualTo(value("cold", count));
    var specs = host.core.sandboxes().list(Map.of()).stream().map(info -> info.spec()).toList();
    assertThat(specs).hasSize(2).allMatch(specs.getFirst()::equals);
  }

  @Test
  void oneThatWaitedKnowsItsOwnIdAndDrawsItsOwnNumbers() {
    make("cold");
    filled();
    for (var name : List.of("first", "second")) {
      assertThat(value(name, "import os; os.environ['HUSK_KERNEL_ID']", make(name)))
          .isEqualTo("'" + host.core.require(name).kernelId() + "'");
    }
    var draw = "import random, uuid; random.random(), uuid.uuid4(), os.urandom(4)";
    assertThat(value("first", draw)).isNotEqualTo(value("second", draw));
  }

  private String value(String kernel, String code, KernelRecord made) {
    assertThat(made.name()).contains(kernel);
    return value(kernel, code);
  }

  @Test
  void whoeverAsksForSomethingElseGetsThatAndNotOneThatWaited() {
    make("cold");
    var waited = filled();
    var variable = make("env", KernelOptions.NONE.withEnv(Map.of("WORD", "kept")));
    assertThat(value("env", "import os; os.environ['WORD']")).isEqualTo("'kept'");
    var place = new KernelPlace(Optional.empty(), Optional.empty(), Optional.of("restrictive"));
    var shut = make("shut", KernelOptions.NONE.at(place));
    host.variables.put("HUSK_KERNEL_ENV", "{\"OTHER\": \"too\"}");
    var called = make("called");
    assertThat(value("called", "import os; os.environ['OTHER']")).isEqualTo("'too'");
    assertThat(waited).doesNotContain(variable.kernelId(), shut.kernelId(), called.kernelId());
    assertThat(host.core.sandboxes().list(Map.of()))
        .anyMatch(info -> info.spec().profile().wireName().equals("restrictive"));
  }

  @Test
  void startupCodeRunsOnceInOneThatWaited() {
    host.variables.put("HUSK_STARTUP_CODE", "runs = globals().get('runs', 0) + 1");
    make("cold");
    var waited = filled();
    assertThat(waited).contains(make("warm").kernelId());
    assertThat(value("warm", "runs")).isEqualTo("1");
  }

  @Test
  void oneThatDiedWhileItWaitedIsNotGivenAway() {
    make("cold");
    var waited = filled();
    registry.sandboxes().list().stream()
        .filter(row -> row.status() == Status.READY)
        .filter(row -> row.labels().containsKey(SandboxRequest.KERNEL_LABEL))
        .forEach(row -> kill(row.pid()));
    assertThat(waited).doesNotContain(make("next").kernelId());
    assertThat(value("next", "1 + 1")).isEqualTo("2");
    assertThat(waited).noneMatch(id -> Files.exists(host.places.kernel(id)));
  }

  @Test
  void timeItWaitedDoesNotCountAsIdle() throws InterruptedException {
    make("cold");
    filled();
    Thread.sleep(2500);
    host.variables.put("HUSK_KERNEL_IDLE_TIMEOUT", "2");
    var waited = waiting();
    assertThat(waited).contains(make("warm").kernelId());
    assertThat(value("warm", "'here'")).isEqualTo("'here'");
  }

  @Test
  void thoseThatWaitAreNeitherListedNorCountedAndEndWithTheirKeeper() {
    make("cold");
    var waited = filled();
    assertThat(host.core.list()).hasSize(1);
    assertThat(host.core.sandboxes().list(Map.of())).hasSize(1);
    host.core.keepNothingReady();
    assertThat(waiting()).isEmpty();
    assertThat(waited)
        .noneMatch(id -> Files.exists(host.places.kernel(id)))
        .noneMatch(id -> Files.exists(host.places.connectionFile(id)));
  }

  @Test
  void oneThatWaitedIsRestartedAndRevivedLikeAnyOther() {
    make("cold");
    var waited = filled();
    assertThat(waited).contains(make("warm").kernelId());
    value("warm", "open('/workspace/f', 'w').write('kept')");
    host.core.restart("warm");
    assertThat(value("warm", "open('/workspace/f').read()")).isEqualTo("'kept'");
    var process = host.core.require("warm").process().map(KernelProcess::pid).orElseThrow();
    kill(process);
    assertThat(value("warm", "open('/workspace/f').read()")).isEqualTo("'kept'");
  }
}
