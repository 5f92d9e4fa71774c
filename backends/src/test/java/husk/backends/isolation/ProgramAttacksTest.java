package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.backends.bubblewrap.Unprivileged;
import husk.contract.Ran;
import husk.spi.Commands;
import husk.spi.Profile;
import husk.spi.Sandbox;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that may not be started: by name, and from where code could put its own.
final class ProgramAttacksTest extends Battlefield {
  private static final String COPY_AND_RUN = "cp /usr/bin/true %1$s/mine && %1$s/mine";

  private Sandbox with(boolean unprivileged, Commands commands, Profile profile)
      throws IOException {
    var spec = SandboxSpec.of("bubblewrap", profile).withCommands(Optional.of(commands));
    return unprivileged ? walls.keep(Unprivileged.start(spec, walls.place())) : walls.start(spec);
  }

  private static Commands deny(String... programs) {
    return new Commands(false, List.of(), List.of(programs));
  }

  private static Commands only(String... programs) {
    return new Commands(true, List.of(programs), List.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "base64 /etc/hostname",
        "sh -c 'base64 /etc/hostname'",
        "/usr/bin/base64 /etc/hostname",
        "/bin/base64 /etc/hostname",
        "exec base64 /etc/hostname",
        "env base64 /etc/hostname",
        "cp /usr/bin/base64 /tmp/other && /tmp/other /etc/hostname",
        "ln -s /usr/bin/base64 /tmp/other && /tmp/other /etc/hostname",
        "cat /usr/bin/base64 > /tmp/other && chmod +x /tmp/other && /tmp/other /etc/hostname",
        "/lib64/ld-linux-x86-64.so.2 /usr/bin/base64 /etc/hostname",
        "python3 -c \"import os; os.execv('/usr/bin/base64', ['x', '/etc/hostname'])\"",
        "mv /usr/bin/base64 /tmp/x",
        "rm -f /usr/bin/base64",
        "umount /usr/bin/base64"
      })
  void programThatIsDeniedIsNotStarted(String trick) throws IOException {
    var ran = Ran.script(with(false, deny("base64"), Profile.MODERATE), trick);
    assertThat(ran.code()).as(trick).isNotZero();
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void otherProgramsAreStartedAsEver() throws IOException {
    var sandbox = with(false, deny("base64", "no-such-program"), Profile.MODERATE);
    assertThat(Ran.script(sandbox, "echo x | base32").said()).isEqualTo("PAFA====");
    assertThat(Ran.script(sandbox, "base64 /etc/hostname").code()).isBetween(126, 127);
  }

  @Test
  void programIsDeniedUnderEveryNameOfItsFile() throws IOException {
    var sandbox = with(false, deny("python3"), Profile.MODERATE);
    assertThat(Ran.script(sandbox, "python3 -c 1").code()).isNotZero();
    var others = Ran.script(sandbox, "for p in /usr/bin/python3.*[0-9]; do $p -c 1; done");
    assertThat(others.code()).isNotZero();
  }

  @Test
  void programIsNamedByItsPathToo() throws IOException {
    for (var name : List.of("/usr/bin/base64", "/bin/base64")) {
      var sandbox = with(false, deny(name), Profile.MODERATE);
      assertThat(Ran.script(sandbox, "base64 /etc/hostname").code()).isBetween(126, 127);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onlyWhatIsAllowedIsThere(boolean unprivileged) throws IOException {
    var sandbox = with(unprivileged, only("sh", "cat", "ls", "python3"), Profile.MODERATE);
    assertThat(Ran.script(sandbox, "ls /usr/bin /usr/sbin /usr/local/bin").out().split("\n"))
        .contains("cat", "ls", "python3", "sh")
        .doesNotContain("cp", "base64", "perl");
    assertThat(Ran.script(sandbox, "base64 /etc/hostname").code()).isEqualTo(127);
    assertThat(Ran.script(sandbox, "echo x > /usr/bin/mine").code()).isNotZero();
    assertThat(Ran.in(sandbox, "/usr/bin/python3", "-c", "print(6 * 7)").said()).isEqualTo("42");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/tmp", "/workspace", "/home/husk", "/dev/shm", "/var/tmp", "/run"})
  void whereOnlySomeProgramsMayRunNobodyBringsAnother(String folder) throws IOException {
    var sandbox = with(false, only("sh", "cp", "true"), Profile.MODERATE);
    var ran = Ran.script(sandbox, COPY_AND_RUN.formatted(folder));
    assertThat(ran.code()).isBetween(126, 127);
  }

  @ParameterizedTest
  @EnumSource(
      value = Place.class,
      names = {"RESTRICTIVE", "UNPRIVILEGED"})
  void nothingIsStartedFromMemoryUnderTheRestrictiveProfile(Place place) throws IOException {
    var spec = SandboxSpec.of("bubblewrap", Profile.RESTRICTIVE);
    var sandbox =
        place == Place.UNPRIVILEGED
            ? walls.keep(Unprivileged.start(spec, walls.place()))
            : walls.start(spec);
    for (var folder : List.of("/tmp", "/dev/shm", "/var/tmp", "/run")) {
      for (var trick :
          List.of(
              COPY_AND_RUN,
              "cp /usr/bin/true %1$s/mine; exec 7<%1$s/mine; /proc/self/fd/7",
              "cp /usr/bin/true %1$s/mine; cd %1$s; ./mine",
              "cp /usr/bin/true %1$s/mine; /proc/self/root/%1$s/mine",
              "cp /usr/bin/true %1$s/mine; /lib64/ld-linux-x86-64.so.2 %1$s/mine",
              "mount -o remount,exec %1$s; " + COPY_AND_RUN,
              "printf '#!/bin/sh\\ntrue\\n' > %1$s/s; chmod +x %1$s/s; %1$s/s")) {
        assertThat(Ran.script(sandbox, trick.formatted(folder)).code()).as(trick).isNotZero();
      }
    }
    assertThat(Ran.script(sandbox, COPY_AND_RUN.formatted("/workspace")).code()).isZero();
    assertThat(Ran.script(sandbox, "echo true > /tmp/s; sh /tmp/s").code()).isZero();
  }

  @Test
  void elsewhereProgramsAreStartedFromMemory() throws IOException {
    var script = "d=$(mktemp -d); cp /usr/bin/true $d/mine && $d/mine; r=$?; rm -r $d; exit $r";
    for (var sandbox : List.of(walled(Place.MODERATE), host())) {
      assertThat(Ran.script(sandbox, script).code()).isZero();
    }
  }
}
