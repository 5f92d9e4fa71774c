package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.spi.CommandSpec;
import husk.spi.Sandbox;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attacks on processes: the host's, and the agent's own.
final class ProcessAttacksTest extends Battlefield {
  private Process victim;

  @BeforeEach
  void startVictim() throws IOException {
    victim = new ProcessBuilder("sleep", "1000").start();
  }

  @AfterEach
  void endVictim() throws InterruptedException {
    victim.destroyForcibly().waitFor();
  }

  @ParameterizedTest
  @EnumSource
  void processesOfTheHostCannotBeSignalled(Place place) throws Exception {
    var attack = Attack.of("os.kill(int(args[0]), signal.SIGTERM)\nreturn True", victim.pid());
    attack.isRefusedIn(walled(place));
    assertThat(victim.isAlive()).isTrue();
    attack.worksIn(host());
    assertThat(victim.waitFor()).isEqualTo(128 + 15);
  }

  @ParameterizedTest
  @EnumSource
  void processesOfTheHostCannotBeSeen(Place place) throws IOException {
    onlyWithoutWalls(
        place, Attack.of("return 'sleep' in text(f'/proc/{args[0]}/cmdline')", victim.pid()));
    onlyWithoutWalls(
        place, Attack.of("return len([p for p in os.listdir('/proc') if p.isdigit()]) > 6"));
  }

  @ParameterizedTest
  @EnumSource
  void processesOfTheHostCannotBeTraced(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of("return check(libc.ptrace(0x4206, int(args[0]), None, None))", victim.pid()));
  }

  @ParameterizedTest
  @EnumSource
  void memoryOfTheHostsProcessesCannotBeRead(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place, Attack.of("return os.open(f'/proc/{args[0]}/mem', os.O_RDWR) >= 0", victim.pid()));
  }

  @ParameterizedTest
  @EnumSource
  void priorityCannotBeRaised(Place place) throws IOException {
    onlyAsRootWithoutWalls(place, Attack.of("os.setpriority(os.PRIO_PROCESS, 0, -5)\nreturn True"));
    onlyAsRootWithoutWalls(
        place,
        Attack.of("os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))\nreturn True"));
  }

  @ParameterizedTest
  @EnumSource
  void limitsCannotBeRaised(Place place) throws IOException {
    onlyWithoutWalls(
        place,
        SYS_RESOURCE,
        Attack.of(
            """
            resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
            try: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 65))
            except ValueError: return False
            return True
            """));
    onlyWithoutWalls(
        place,
        SYS_RESOURCE,
        Attack.of(
            "os.write(os.open('/proc/self/oom_score_adj', os.O_WRONLY), b'-1')\nreturn True"));
  }

  /// At any other limit a crash would start it, as root, with what the crashed one had in memory.
  @ParameterizedTest
  @EnumSource
  void programThatTheHostKeepsForCrashesIsNotStarted(Place place) throws IOException {
    onlyWithoutWalls(
        place,
        Attack.of(
            """
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            return resource.getrlimit(resource.RLIMIT_CORE) != (1, 1)
            """));
  }

  @ParameterizedTest
  @EnumSource
  void commandThatKillsAllItCanSeeLeavesTheSandboxUsable(Place place) throws IOException {
    var sandbox = walled(place);
    for (var signal : new String[] {"TERM", "STOP", "KILL"}) {
      killAll(sandbox, signal);
      assertThat(Ran.in(sandbox, "echo", "usable").said()).as(signal).isEqualTo("usable");
    }
    assertThat(victim.isAlive()).isTrue();
  }

  /// It may kill the very process that would tell of its beginning.
  private static void killAll(Sandbox sandbox, String signal) throws IOException {
    try {
      Ran.in(sandbox, CommandSpec.of("/bin/sh", "-c", "kill -" + signal + " 1 -1").within(5000));
    } catch (EOFException beforeItsFirstWord) {
      assertThat(signal).isEqualTo("KILL");
    }
  }

  @ParameterizedTest
  @EnumSource
  void firstProcessCannotBeReadOrTraced(Place place) throws IOException {
    var sandbox = walled(place);
    for (var name : new String[] {"environ", "mem", "maps", "auxv", "stack"}) {
      Attack.of("return text('/proc/1/' + args[0])", name).isRefusedIn(sandbox);
    }
    Attack.of("return check(libc.ptrace(0x4206, 1, None, None))").isRefusedIn(sandbox);
    Attack.of("return text(f'/proc/{args[0]}/maps')", victim.pid()).worksIn(host());
  }
}
