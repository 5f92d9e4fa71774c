package husk.backends.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attacks by way of the file system: mounts, devices, setuid bits, `/proc` and `/sys`.
final class MountAttacksTest extends Battlefield {
  @ParameterizedTest
  @EnumSource
  void nothingCanBeMounted(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            """
            os.makedirs('here', exist_ok=True)
            check(libc.mount(b'none', b'here', b'tmpfs', 0, None))
            return check(libc.umount(b'here'))
            """));
  }

  @ParameterizedTest
  @EnumSource
  void readOnlyStaysReadOnly(Place place) throws IOException {
    var remount =
        """
        if args:
            check(libc.unshare(0x00020000))
            check(libc.mount(b'none', b'/', None, 0x4000 | 0x40000, None))
            check(libc.mount(b'/usr', b'/usr', None, 0x1000, None))
            check(libc.mount(None, b'/usr', None, 0x1 | 0x20 | 0x1000, None))
        return check(libc.mount(None, b'/usr', None, 0x20 | 0x1000, None))
        """;
    Attack.of(remount).isRefusedIn(walled(place));
    if (ROOT) {
      Attack.of(remount, "in mounts of its own").worksIn(host());
    }
  }

  @ParameterizedTest
  @EnumSource
  void devicesCannotBeMade(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            """
            os.mknod('memory', stat.S_IFCHR | 0o600, os.makedev(1, 1))
            return stat.S_ISCHR(os.stat('memory').st_mode)
            """));
  }

  @ParameterizedTest
  @EnumSource
  void devicesAreTheHarmlessOnes(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            """
            harmless = 'console core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero'
            return set(os.listdir('/dev')) - set(harmless.split())
            """));
  }

  @ParameterizedTest
  @EnumSource
  void terminalsOfOthersAreNotThere(Place place) throws IOException {
    var others = "return [t for t in os.listdir('/dev/pts') if t != 'ptmx']";
    Attack.of(others).isRefusedIn(walled(place));
    Attack.of("opened = pty.openpty()\n" + others).worksIn(host());
  }

  @ParameterizedTest
  @EnumSource
  void mountsHonourNoSetuidBit(Place place) throws IOException {
    onlyWithoutWalls(
        place,
        Attack.of(
            "return [m for m in open('/proc/self/mountinfo') if 'nosuid' not in m.split()[5]]"));
  }

  @ParameterizedTest
  @EnumSource
  void setuidBitsCannotBeGiven(Place place) throws IOException {
    onlyWithoutWalls(
        place,
        Attack.of(
            """
            open('mine', 'w').close()
            os.chmod('mine', 0o4755)
            return os.stat('mine').st_mode & stat.S_ISUID
            """));
  }

  @ParameterizedTest
  @EnumSource
  void setuidFilesCannotBeBorn(Place place) throws IOException {
    onlyWithoutWalls(
        place,
        Attack.of(
            """
            os.open('mine', os.O_CREAT | os.O_WRONLY, 0o6755)
            return os.stat('mine').st_mode & (stat.S_ISUID | stat.S_ISGID)
            """));
  }

  @ParameterizedTest
  @EnumSource
  void switchesOfTheKernelAreOutOfReach(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place, Attack.of("return os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY) >= 0"));
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            """
            return [f for path, _, files in os.walk('/proc/sys') for f in files
                    if os.access(path + '/' + f, os.W_OK)]
            """));
    var sysrq = Attack.of("return os.open('/proc/sysrq-trigger', os.O_WRONLY) >= 0");
    sysrq.isRefusedIn(walled(place));
    if (Files.isWritable(Path.of("/proc/sysrq-trigger"))) {
      sysrq.worksIn(host());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatTheKernelTellsOfTheMachineIsNotThere(Place place) throws IOException {
    onlyWithoutWalls(place, Attack.of("return os.listdir('/sys')"));
    onlyAsRootWithoutWalls(
        place,
        Attack.of("return os.listdir(f'/proc/{args[0]}/root/etc')", ProcessHandle.current().pid()));
    onlyAsRootWithoutWalls(
        place,
        Attack.of("return os.listdir(f'/proc/{args[0]}/fd')", ProcessHandle.current().pid()));
  }
}
