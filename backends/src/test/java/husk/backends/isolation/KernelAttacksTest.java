package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attacks on the kernel: namespaces, capabilities, and the calls that open wide doors.
final class KernelAttacksTest extends Battlefield {

  @ParameterizedTest
  @EnumSource
  void namespacesCannotBeMade(Place place) throws IOException {
    for (int flag :
        new int[] {0x10000000, 0x00020000, 0x40000000, 0x20000000, 0x08000000, 0x04000000}) {
      onlyAsRootWithoutWalls(place, Attack.of("return check(libc.unshare(int(args[0])))", flag));
    }
  }

  @ParameterizedTest
  @EnumSource
  void namespacesCannotBeNestedByCloning(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place, Attack.of("return subprocess.call(['unshare', '-Ur', 'true'], stderr=-3) == 0"));
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            """
            number = 56 if os.uname().machine == 'x86_64' else 220
            child = libc.syscall(ctypes.c_long(number), ctypes.c_long(0x10000000 | 17), None, None, None, None)
            if child == 0: os._exit(0)
            return check(child)
            """));
  }

  @ParameterizedTest
  @EnumSource
  void namespacesCannotBeEntered(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            """
            space = os.open('/proc/self/ns/uts', os.O_RDONLY)
            return check(libc.setns(space, 0))
            """));
  }

  @ParameterizedTest
  @EnumSource
  void thereAreNoCapabilitiesNotEvenToBeHad(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            "return [l for l in open('/proc/self/status') if l[:3] == 'Cap' and int(l.split()[1],"
                + " 16)]"));
  }

  @ParameterizedTest
  @EnumSource
  void newPrivilegesAreRuledOutAndAFilterIsInForce(Place place) throws IOException {
    onlyWithoutWalls(
        place,
        Attack.of(
            """
            status = text('/proc/self/status')
            return 'NoNewPrivs:\\t1' not in status or 'Seccomp:\\t2' not in status
            """));
  }

  @ParameterizedTest
  @EnumSource
  void nobodyBecomesRootByAProgramWithSuchABit(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            """
            ran = subprocess.run(['/usr/bin/su', '-c', 'true'], stdin=-3, stdout=-3, stderr=-3)
            return ran.returncode == 0
            """));
  }

  @ParameterizedTest
  @EnumSource
  void wideDoorsIntoTheKernelAreClosed(Place place) throws IOException {
    var doors =
        new String[] {
          "io_uring_setup: 425, 425, 1, 0",
          "bpf: 321, 280, 0, 0, 0",
          "userfaultfd: 323, 282, 0",
          "keyctl: 250, 219, 0, -3, 0",
          "add_key: 248, 217, 0, 0, 0, 0, 0",
          "perf_event_open: 298, 241, 0, 0, -1, -1, 0",
          "open_by_handle_at: 304, 265, -1, 0, 0",
          "fanotify_init: 300, 262, 0, 0",
          "mount_setattr: 442, 442, -1, 0, 0, 0, 0",
          "fsopen: 430, 430, 0, 0",
          "pidfd_getfd: 438, 438, -1, 0, 0",
          "kexec_load: 246, 104, 0, 99, 0, 0"
        };
    var sandbox = walled(place);
    var host = host();
    int openOnTheHost = 0;
    for (var door : doors) {
      var attack = Attack.of("return answered(" + door.substring(door.indexOf(':') + 1) + ")");
      attack.isRefusedIn(sandbox);
      openOnTheHost += attack.in(host).equals("REACHED") ? 1 : 0;
    }
    assertThat(openOnTheHost).as("kernels lack some of them").isGreaterThan(ROOT ? 7 : 3);
  }

  @ParameterizedTest
  @EnumSource
  void nobodyTypesIntoATerminal(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            """
            master, slave = pty.openpty()
            fcntl.ioctl(slave, 0x5412, b'x')
            return True
            """));
  }

  @ParameterizedTest
  @EnumSource
  void namesAndClocksOfTheMachineStay(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place, Attack.of("socket.sethostname(socket.gethostname())\nreturn True"));
    Attack.of("time.clock_settime(time.CLOCK_REALTIME, time.time())\nreturn True")
        .isRefusedIn(walled(place));
    // A correction by nothing takes the same right, and changes no clock.
    onlyWithoutWalls(
        place,
        SYS_TIME,
        Attack.of(
            """
            correction = ctypes.create_string_buffer(208)
            struct.pack_into('i', correction, 0, 0x8001)
            return check(libc.adjtimex(correction))
            """));
  }

  @ParameterizedTest
  @EnumSource
  void callsOfAnotherArchitectureAreDeadly(Place place) throws IOException {
    var attack =
        Attack.of(
            """
            if os.uname().machine != 'x86_64': return False
            code = 'import ctypes; ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 39))'
            return subprocess.call([sys.executable, '-c', code]) != -signal.SIGSYS
            """);
    attack.isRefusedIn(walled(place));
    if ("amd64".equals(System.getProperty("os.arch"))) {
      attack.worksIn(host());
    }
  }
}
