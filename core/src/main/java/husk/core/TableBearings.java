package husk.core;

import husk.core.trust.Widening;
import husk.sandboxes.EgressWords;
import husk.spi.Profile;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;

/// What the tables of a project's file may do to its sandboxes: the one table, beside that of
/// [SettingBearings] for settings. A key that is missing here does not compile.
///
/// Where the user's own words say something, the file is not heard, and so widens nothing.
final class TableBearings {
  private TableBearings() {}

  /// Everything in a file that is wider than what its user would get without it.
  static List<Widening> widenings(ProjectFile file, Ground ground) {
    return Arrays.stream(ProjectKey.values())
        .flatMap(
            key -> {
              var bearing = of(key);
              return bearing.wider().apply(file, ground).stream()
                  .map(value -> Widening.of(key.spelled(), value, bearing.opens()));
            })
        .toList();
  }

  static Bearing<ProjectFile, Ground> of(ProjectKey key) {
    return switch (key) {
      // What it is called, how long it lives, and which tools are shown in it, read-only.
      case NAME, LABELS, DESCRIPTION, TTL, RUNTIME -> Bearing.neutral();
      // Fewer hosts and programs than there would be. What allows is measured below.
      case BLOCKED_DOMAINS,
          ONLY_ALLOWED_DOMAINS,
          ALLOWED_COMMANDS,
          BLOCKED_COMMANDS,
          ONLY_ALLOWED_COMMANDS ->
          Bearing.neutral();
      // Refused wherever they would have an effect, or without one.
      case MOUNT_HOME, PASS_ENV, READ_ONLY, SECCOMP, TRANSPORT, SECRETS -> Bearing.neutral();

      case BACKEND ->
          value(
              "runs commands outside of any sandbox, with all your rights",
              file -> file.backend().stream(),
              (backend, ground) ->
                  backend.equals("bubblewrap")
                      || backend.equals(ground.backend())
                      || ground.asked().backend().isPresent());
      case PROFILE ->
          value(
              "lets the sandbox do more",
              file -> file.profile().stream(),
              (profile, ground) ->
                  ground.asked().profile().isPresent()
                      || Profile.of(profile).compareTo(ground.profile()) >= 0);
      case NETWORK ->
          value(
              "opens the network",
              file -> file.network().stream().map(String::valueOf),
              (network, ground) ->
                  network.equals("false")
                      || ground.network()
                      || ground.asked().network().isPresent());
      case ALLOWED_DOMAINS ->
          value(
              "lets code inside reach this machine or its neighbours",
              file -> file.allowed().stream(),
              (rule, ground) -> !ground.asked().allow().isEmpty() || !EgressWords.nonPublic(rule));
      case MOUNTS ->
          value(
              "shows files of yours inside",
              file -> file.mounts().stream(),
              (_, ground) -> !ground.asked().mounts().isEmpty());
      case MOUNT_CWD ->
          value(
              "lets code inside write to this folder",
              file -> file.mounted().stream(),
              (_, ground) -> ground.asked().dir().isPresent());
      case FILES ->
          value(
              "copies files of yours into the sandbox",
              file -> file.files().stream().map(one -> one.source().toString()),
              (_, _) -> false);
      case PORTS ->
          value(
              "publishes ports on this machine",
              file -> file.ports().stream(),
              (_, ground) -> !ground.asked().ports().isEmpty());
      case ENVIRONMENT ->
          value(
              "sets variables of programs that run outside of any sandbox",
              file -> file.variables().keySet().stream().sorted(),
              (_, ground) -> !ground.backend().equals(KernelHomes.HOST));
      case VCPUS -> limit(key, "cpu_percent");
      case MEMORY_MB -> limit(key, "memory_mb");
      case CPU_PERCENT -> limit(key, "cpu_percent");
      case PROCESSES -> limit(key, "processes");
      case OPEN_FILES -> limit(key, "open_files");
      case FILE_SIZE_MB -> limit(key, "file_size_mb");
      case WORKSPACE_MB -> limit(key, "workspace_mb");
      case TMP_MB -> limit(key, "tmp_mb");
    };
  }

  private static Bearing<ProjectFile, Ground> value(
      String opens,
      Function<ProjectFile, Stream<String>> said,
      BiPredicate<String, Ground> narrow) {
    return new Bearing<>(
        opens,
        (file, ground) -> said.apply(file).filter(value -> !narrow.test(value, ground)).toList());
  }

  /// A limit is narrower when it is less; none at all is the widest.
  private static Bearing<ProjectFile, Ground> limit(ProjectKey key, String name) {
    return new Bearing<>(
        "lifts a limit",
        (file, ground) -> {
          long yours = ground.limit(name);
          return file.limit(key).stream()
              .filter(_ -> !ground.asked().limits().containsKey(name))
              .filter(theirs -> yours > 0 && (theirs <= 0 || theirs > yours))
              .map(String::valueOf)
              .toList();
        });
  }
}
