package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.spi.Mount;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attacks on files: the host's, and those of other sandboxes.
final class FileAttacksTest extends Battlefield {
  @ParameterizedTest
  @EnumSource
  void filesInTheHostsTmpAreNotThere(Place place) throws IOException {
    try (var home = TempHome.create()) {
      var canary = Files.writeString(home.resolve("canary"), "secret");
      onlyWithoutWalls(place, Attack.of("return text(args[0]) == 'secret'", canary));
    }
  }

  @ParameterizedTest
  @EnumSource
  void homeOfTheUserIsNotThere(Place place) throws IOException {
    var home = System.getProperty("user.home");
    onlyWithoutWalls(place, Attack.of("return os.listdir(args[0])", home));
  }

  @ParameterizedTest
  @EnumSource
  void passwordsAreNotThere(Place place) throws IOException {
    onlyAsRootWithoutWalls(place, Attack.of("return 'root:' in text('/etc/shadow')"));
  }

  @ParameterizedTest
  @EnumSource
  void symbolicLinksLeadNowhereElse(Place place) throws IOException {
    try (var home = TempHome.create()) {
      var canary = Files.writeString(home.resolve("canary"), "secret");
      onlyWithoutWalls(
          place, Attack.of("os.symlink(args[0], 'link')\nreturn text('link') == 'secret'", canary));
    }
  }

  @ParameterizedTest
  @EnumSource
  void programsOfTheMachineCannotBeChanged(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place, Attack.of("return os.open('/usr/bin', os.O_WRONLY | os.O_TMPFILE) >= 0"));
  }

  @ParameterizedTest
  @EnumSource
  void filesOfTheMachineCannotBeLinkedIntoTheWorkspace(Place place) throws IOException {
    try (var home = TempHome.create()) {
      var canary = Files.writeString(home.resolve("canary"), "secret");
      Files.setPosixFilePermissions(home.path(), PosixFilePermissions.fromString("rwxr-xr-x"));
      var attack = Attack.of("os.link(args[0], 'mine')\nreturn os.path.exists('mine')", canary);
      var seen = new Mount(home.path(), home.path(), false);
      attack.isRefusedIn(walled(place, spec -> spec.withMounts(List.of(seen))));
      attack.worksIn(host());
      Attack.of("os.link('/usr/bin/env', 'mine')\nreturn True").isRefusedIn(walled(place));
    }
  }

  @ParameterizedTest
  @EnumSource
  void workspaceOfAnotherSandboxIsNotThere(Place place) throws IOException {
    var other = walls.place();
    walls.start(husk.spi.SandboxSpec.of("bubblewrap", place.profile()), other);
    Files.writeString(other.workspace().resolve("canary"), "theirs");
    var canary = other.workspace().resolve("canary");
    onlyWithoutWalls(place, Attack.of("return text(args[0]) == 'theirs'", canary));
    Attack.of(
            "find = 'find / -path /proc -prune -o -path /usr -prune -o -name canary -print'\n"
                + "return subprocess.run(find.split(), capture_output=True).stdout")
        .isRefusedIn(walled(place));
  }

  @Test
  void restrictiveLeavesNothingToWriteToButWorkspaceHomeAndTmp() throws IOException {
    var attack =
        Attack.of(
            """
            for folder in ('/', '/etc', '/usr', '/home', '/opt', '/.husk', '/var'):
                try: return os.open(folder, os.O_WRONLY | os.O_TMPFILE) >= 0
                except OSError: pass
            return False
            """);
    attack.isRefusedIn(walled(Place.RESTRICTIVE));
    attack.worksIn(walled(Place.MODERATE));
  }

  @ParameterizedTest
  @EnumSource
  void ordinaryWorkIsPossible(Place place) throws IOException {
    var ran =
        Ran.script(
            walled(place),
            "echo a >f && chmod 755 f && mkdir d && mv f d && ln -s d/f l && cat l && echo x"
                + " >/tmp/x && echo y >~/y && head -c 1 /dev/urandom >/dev/null");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.said()).isEqualTo("a");
  }
}
