package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.BestOfRequest;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelPlace;
import husk.model.Rollback;
import husk.testkit.LeakDetector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A random walk through executions, forks, checkpoints, rollbacks, kills and restarts of the
/// daemon, with a plain model beside it; after each step the kernel is compared with its model.
///
/// `WALK_SEED` repeats a walk, `WALK_STEPS` makes it longer.
@ExtendWith(LeakDetector.class)
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LiveStateWalkTest {
  private static final int STEPS = number("WALK_STEPS", 50);
  private static final int MOST_KERNELS = 4;

  /// What a kernel holds: a list of numbers, and files with a number each.
  private record State(List<Integer> list, Map<String, Integer> files) {
    State copy() {
      return new State(new ArrayList<>(list), new TreeMap<>(files));
    }
  }

  private static final class Model {
    State state = new State(new ArrayList<>(), new TreeMap<>());
    final Map<String, State> checkpoints = new TreeMap<>();
    boolean dead;
  }

  private final CoreHost host = new CoreHost();
  private final Map<String, Model> models = new TreeMap<>();
  private Random random = new Random();
  private boolean withFiles;
  private int made;

  private static int number(String variable, int usual) {
    return Optional.ofNullable(System.getenv(variable)).map(Integer::parseInt).orElse(usual);
  }

  @AfterEach
  void close() {
    host.core.destroyAll();
    host.core.sandboxes().clean(true);
    host.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bubblewrap", "host"})
  void kernelsAreWhatTheirModelsAre(String backend) {
    long seed = number("WALK_SEED", (int) (System.nanoTime() & 0xffffff));
    System.out.println("WALK_SEED=" + seed + " for backend " + backend);
    random = new Random(seed);
    withFiles = backend.equals("bubblewrap");
    make(backend);
    for (int step = 0; step < STEPS; step++) {
      var name = pick();
      var did = step(name);
      for (var touched : models.containsKey(name) ? List.of(name) : List.<String>of()) {
        compare(touched, "seed " + seed + ", step " + step + ": " + did + " on " + touched);
      }
    }
    models.keySet().forEach(name -> compare(name, "seed " + seed + ", at the end: " + name));
  }

  private void make(String backend) {
    var name = "k" + made++;
    var place = new KernelPlace(Optional.of(backend), Optional.empty(), Optional.empty());
    host.core.create(Optional.of(name), host.options().at(place), host.caller());
    models.put(name, new Model());
    run(name, ExecuteRequest.of("x = []; import os"));
  }

  private Model model(String name) {
    return Objects.requireNonNull(models.get(name));
  }

  private static State kept(Model model, String label) {
    return Objects.requireNonNull(model.checkpoints.get(label));
  }

  private String pick() {
    var names = List.copyOf(models.keySet());
    return names.get(random.nextInt(names.size()));
  }

  private String step(String name) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> execute(name);
      case 3 -> failTaken(name);
      case 4, 5 -> checkpoint(name);
      case 6, 7 -> rollback(name);
      case 8 -> fork(name);
      case 9 -> kill(name);
      case 10 -> random.nextBoolean() ? restartDaemon() : bestOf(name);
      default -> destroyOne(name);
    };
  }

  private String execute(String name) {
    int value = random.nextInt(1000);
    var file = "f" + random.nextInt(5);
    var state = alive(name);
    state.list().add(value);
    var code = "x.append(%d)\n".formatted(value);
    if (withFiles) {
      state.files().put(file, value);
      code += "with open('/workspace/%s', 'w') as f: f.write('%d')\n".formatted(file, value);
    }
    assertThat(run(name, ExecuteRequest.of(code)).ok()).isTrue();
    return "execute";
  }

  private String failTaken(String name) {
    alive(name);
    var code = "x.append(-1)\nopen('/workspace/half', 'w').write('x')\n1/0";
    var end = random.nextBoolean() ? "1/0" : "os._exit(3)";
    var request = withFiles ? code.replace("1/0", end) : "x.append(-1)\n" + end;
    var result = run(name, ExecuteRequest.of(request).rollingBack(Rollback.ON_ERROR));
    assertThat(result.rolledBack()).isTrue();
    return "a failing cell that is taken back";
  }

  private String checkpoint(String name) {
    var state = alive(name);
    var label = "c" + made++;
    host.core.checkpoint(name, Optional.of(label), false, host.caller());
    model(name).checkpoints.put(label, state.copy());
    return "checkpoint " + label;
  }

  private String rollback(String name) {
    var model = model(name);
    if (model.checkpoints.isEmpty()) {
      return "nothing";
    }
    var labels = List.copyOf(model.checkpoints.keySet());
    var label = labels.get(random.nextInt(labels.size()));
    host.core.rollback(name, Optional.of(label));
    model.state = kept(model, label).copy();
    model.dead = false;
    return "rollback to " + label;
  }

  private String fork(String name) {
    if (models.size() >= MOST_KERNELS) {
      return "nothing";
    }
    var state = alive(name);
    var fork = "k" + made++;
    host.core.fork(name, List.of(Optional.of(fork)), false, host.caller());
    var model = new Model();
    model.state = state.copy();
    models.put(fork, model);
    compare(fork, "a new fork of " + name);
    return "fork as " + fork;
  }

  private String bestOf(String name) {
    alive(name).list().add(7);
    var best = List.of("x.append(5)", "x.append(7)", "1/0");
    var request =
        new BestOfRequest(best, List.of(), Optional.of("x[-1]"), Optional.empty(), true, false);
    assertThat(host.core.bestOf(name, request, host.caller()).winner()).contains(1);
    return "best of three";
  }

  /// It comes back at its last checkpoint, or empty.
  private String kill(String name) {
    var model = model(name);
    alive(name);
    var process = host.core.require(name).process().orElseThrow();
    ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
    husk.testkit.Eventually.until(
        java.time.Duration.ofSeconds(20),
        () -> !husk.kernels.ProcFs.alive(process),
        () -> "it does not die");
    model.dead = true;
    return "kill";
  }

  private String restartDaemon() {
    host.core.close();
    host.core = host.another();
    return "restart of the daemon";
  }

  private String destroyOne(String name) {
    if (models.size() == 1) {
      return "nothing";
    }
    host.core.destroy(name);
    models.remove(name);
    return "destroy";
  }

  /// The state of a kernel that is about to be used: one that was killed comes back now.
  private State alive(String name) {
    var model = model(name);
    if (model.dead) {
      model.dead = false;
      var last = host.core.checkpoints(name);
      if (last.isEmpty()) {
        model.state.list().clear();
        run(name, ExecuteRequest.of("x = []; import os"));
      } else {
        model.state = kept(model, last.getLast().label().orElseThrow()).copy();
        run(name, ExecuteRequest.of("1"));
      }
    }
    return model.state;
  }

  private void compare(String name, String when) {
    var state = alive(name);
    var seen = run(name, ExecuteRequest.of("x"));
    assertThat(seen.returnValue().orElse(seen.toString()).replaceAll("\\s", ""))
        .as(when)
        .isEqualTo(state.list().toString().replace(" ", ""));
    if (withFiles) {
      var code =
          "{n: int(open('/workspace/' + n).read()) for n in sorted(os.listdir('/workspace'))}";
      assertThat(
              run(name, ExecuteRequest.of(code)).returnValue().orElse("").replaceAll("[\\s']", ""))
          .as(when)
          .isEqualTo(state.files().toString().replace('=', ':').replace(" ", ""));
    }
  }

  private ExecutionResult run(String name, ExecuteRequest request) {
    return host.core.execute(
        name, request, Optional.empty(), host.caller(), ExecutionEvent.Listener.NONE);
  }
}
