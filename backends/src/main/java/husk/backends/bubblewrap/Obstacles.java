package husk.backends.bubblewrap;

import husk.model.Problem;
import husk.spi.Enforcement;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What keeps a machine from building walls, and how to allow it.
final class Obstacles {
  private static final Path CLONE = Path.of("/proc/sys/kernel/unprivileged_userns_clone");
  private static final Path NUMBER = Path.of("/proc/sys/user/max_user_namespaces");
  private static final Path APPARMOR =
      Path.of("/proc/sys/kernel/apparmor_restrict_unprivileged_userns");

  private Obstacles() {}

  /// What can be seen without trying.
  static Optional<Problem> found() {
    if (!onPath("bwrap")) {
      return Optional.of(
          new Problem(
              Problem.Code.TOOL_MISSING,
              "bubblewrap is not installed: there is no `bwrap` on the PATH",
              "sudo apt-get install -y bubblewrap (Debian, Ubuntu); dnf install bubblewrap"
                  + " (Fedora)",
              "or do without walls, on your own risk: `--backend host`"));
    }
    return forbidden("").map(remedy -> unavailable("this machine forbids user namespaces", remedy));
  }

  private static boolean onPath(String program) {
    var path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    return Pattern.compile(":")
        .splitAsStream(path)
        .anyMatch(folder -> Files.isExecutable(Path.of(folder.isEmpty() ? "." : folder, program)));
  }

  /// The setting that forbids it, as the command that allows it.
  private static Optional<String> forbidden(String said) {
    if (reads(CLONE, "0")) {
      return Optional.of("sudo sysctl -w kernel.unprivileged_userns_clone=1");
    }
    if (reads(NUMBER, "0")) {
      return Optional.of("sudo sysctl -w user.max_user_namespaces=15000");
    }
    if (reads(APPARMOR, "1") && denied(said)) {
      return Optional.of(
          "allow bubblewrap in AppArmor: put `abi <abi/4.0>, include <tunables/global> profile"
              + " bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` into /etc/apparmor.d/bwrap"
              + " and run `sudo apparmor_parser -r /etc/apparmor.d/bwrap`");
    }
    return Optional.empty();
  }

  private static boolean denied(String said) {
    return Stream.of("Permission denied", "Operation not permitted", "No permissions", "ENOSPC")
        .anyMatch(said::contains);
  }

  private static boolean reads(Path setting, String value) {
    try {
      return Files.readString(setting).strip().equals(value);
    } catch (IOException absent) {
      return false;
    }
  }

  /// Refuses what would otherwise have to be ignored.
  static void check(SandboxSpec spec) {
    found()
        .ifPresent(
            problem -> {
              throw problem;
            });
    for (var mount : spec.mounts()) {
      if (!Files.exists(mount.source())) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST,
            "cannot mount `" + mount.source() + "`: there is no such file or folder",
            "name one that exists on this machine");
      }
    }
  }

  /// A profile's wish may go unheld where nothing can hold it, and is said to; what was asked for
  /// by name may not.
  static void requireHeld(SandboxSpec spec, Enforcement enforcement) {
    boolean asked = spec.limits().cpuPercent() != spec.profile().limits().cpuPercent();
    if (asked && "none".equals(enforcement.by().get("cpu"))) {
      throw new Problem(
          Problem.Code.ISOLATION_UNAVAILABLE,
          spec.limits().cpuPercent() + " % of a core cannot be held here: no cgroup can be made",
          "ask for whole cores, such as `--cpu 100%`, or leave it out",
          "or run the daemon where it may make cgroups: as root, or in a delegated systemd scope");
    }
  }

  /// What bubblewrap or the launcher said, with what to do about it.
  static Problem explain(String said) {
    var why = said.isEmpty() ? "it ended without a word" : said;
    if (denied(said) && (said.contains("namespace") || said.contains("uid map"))) {
      return unavailable(
          "this machine does not let bubblewrap make namespaces: " + why,
          forbidden(said)
              .orElse(
                  "allow more of them (`sudo sysctl -w user.max_user_namespaces=15000`); in a"
                      + " container, start it with `--security-opt seccomp=unconfined` or"
                      + " `--privileged`; see `husk doctor`"));
    }
    return new Problem(
        Problem.Code.SANDBOX_FAILED,
        "bubblewrap could not start the sandbox: " + why,
        "`husk doctor` looks for what is missing");
  }

  private static Problem unavailable(String what, String remedy) {
    return new Problem(
        Problem.Code.ISOLATION_UNAVAILABLE,
        what,
        List.of(remedy, "or do without walls, on your own risk: `--backend host`"));
  }
}
