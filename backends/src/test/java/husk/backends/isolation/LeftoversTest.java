package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What one tenant leaves, and the next must not find.
final class LeftoversTest extends Battlefield {
  private static final int KEY = 0x4855534b;

  private static final Attack LEAVE =
      Attack.of(
          """
          for folder in ('/tmp', '/dev/shm', '/var/tmp', '/run', os.getcwd(), os.environ['HOME']):
              try: open(folder + '/left-by-a-test', 'w').write('theirs')
              except OSError: pass
          check(libc.shmget(int(args[0]), 4096, 0o1666))
          libc.semget(int(args[0]), 1, 0o1666)
          if os.fork() == 0:
              os.setsid()
              s = socket.socket(socket.AF_UNIX); s.bind('\\0left-by-a-test'); s.listen()
              time.sleep(1000)
          return True
          """,
          KEY);

  private static final Attack FIND =
      Attack.of(
          """
          found = [f for d in ('/tmp', '/dev/shm', '/var/tmp', '/run', '.', os.environ['HOME'])
                   for f in glob.glob(d + '/left-by-a-test')]
          found += ['shm'] if libc.shmget(int(args[0]), 4096, 0o666) >= 0 else []
          found += ['sem'] if libc.semget(int(args[0]), 1, 0o666) >= 0 else []
          found += ['socket'] if '@left-by-a-test' in text('/proc/net/unix') else []
          return found
          """,
          KEY);

  private static final Attack CLEAN =
      Attack.of(
          """
          for path in glob.glob('/tmp/left-by-a-test') + glob.glob('/dev/shm/left-by-a-test') + \\
                  glob.glob('/var/tmp/left-by-a-test') + glob.glob('/run/left-by-a-test'):
              os.remove(path)
          check(libc.shmctl(libc.shmget(int(args[0]), 4096, 0o666), 0, None))
          return check(libc.semctl(libc.semget(int(args[0]), 1, 0o666), 0, 0))
          """,
          KEY);

  @ParameterizedTest
  @EnumSource
  void nothingOfAnEarlierTenantIsFound(Place place) throws IOException {
    var first = walled(place);
    LEAVE.worksIn(first);
    FIND.worksIn(first);
    FIND.isRefusedIn(walled(place));
    first.end();
    FIND.isRefusedIn(walled(place));
  }

  @ParameterizedTest
  @EnumSource(names = "MODERATE")
  void withoutWallsItIsFound(Place place) throws IOException {
    var first = host();
    try {
      LEAVE.worksIn(first);
      first.end();
      FIND.worksIn(host());
      FIND.isRefusedIn(walled(place));
    } finally {
      CLEAN.worksIn(host());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everySandboxIsAlikeAtItsBeginning(Place place) throws IOException {
    // The shell counts by itself: a pipeline's second process may not be there yet.
    var look =
        "ls -A / /tmp /run /var/tmp /dev/shm /workspace ~; id -u; hostname;"
            + " set -- /proc/[0-9]*; echo $#";
    assertThat(Ran.script(walled(place), look).out())
        .isEqualTo(Ran.script(walled(place), look).out());
  }
}
