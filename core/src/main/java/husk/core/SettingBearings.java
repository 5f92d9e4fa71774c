package husk.core;

import husk.spi.Profile;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What a project's file may do to each setting: the one table, beside that of [TableBearings] for
/// sandboxes. A setting that is missing here does not compile.
///
/// What its user set is a default, the user's own file or a variable. A value that is no wider is
/// taken; any other only from a content that the user has trusted.
final class SettingBearings {
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1");
  private static final Set<String> YES = Set.of("on", "true", "1", "yes");

  private static final Set<String> NO = Set.of("off", "false", "0", "no", "");

  private final Predicate<String> environments;

  /// @param environments whether Husk made an environment of this name, for its user
  SettingBearings(Predicate<String> environments) {
    this.environments = environments;
  }

  Bearing<String, String> of(SettingKey key) {
    return switch (key) {
      case KERNEL_TYPE, PORT -> Bearing.neutral();

      case BACKEND ->
          narrow("runs kernels outside of any sandbox, with all your rights", "bubblewrap"::equals);
      case PROFILE -> bearing("lets sandboxes do more", SettingBearings::stricter);
      case LIVE_STATE ->
          bearing(
              "has kernels share memory with a process that copies them",
              (theirs, yours) -> isSaid(theirs, NO) || yes(yours));
      case PYTHON ->
          narrow("runs another interpreter, outside of a sandbox at first", environments);
      case SANDBOX_CONFIG -> only("has other rules decide what sandboxes see and reach");
      case STARTUP_CODE -> only("runs code of its own with whatever you give to a kernel");

      case EXECUTION_TIMEOUT, KERNEL_IDLE_TIMEOUT, DAEMON_IDLE_TIMEOUT ->
          bearing("lets code run, or wait, for longer", (t, y) -> sooner(t, y, true));
      case INTERRUPT_GRACE -> bearing("lets code run for longer", (t, y) -> sooner(t, y, false));
      case OUTPUT_CHAR_LIMIT, MAX_KERNELS, CHECKPOINT_MEMORY ->
          bearing("lifts a limit", (t, y) -> less(t, y, true));
      case MAX_RETRIES,
          SANDBOX_POOL,
          SANDBOX_POOL_AGE,
          KERNEL_POOL,
          KERNEL_POOL_AGE,
          MAX_REQUESTS ->
          bearing("lifts a limit", (t, y) -> less(t, y, false));

      case HOST -> narrow("lets other machines reach `husk serve`", LOOPBACK::contains);
      case API_KEY, API_KEY_FILE -> only("decides which keys open `husk serve`");
      case TLS -> narrow("lets `husk serve` speak without TLS", SettingBearings::yes);
      case TLS_CERT, TLS_KEY -> only("has `husk serve` show another certificate");
      case ALLOW_ORIGIN -> bearing("lets more web pages call `husk serve`", SettingBearings::fewer);
      case ALLOW_HOST_BACKEND, ALLOW_PYTHON, ALLOW_PRIVATE_NETWORK, ALLOW_PUBLISH ->
          narrow("opens more to callers of `husk serve`", SettingBearings::no);
      case ALLOW_MOUNT, ALLOW_PROFILE ->
          bearing("opens more to callers of `husk serve`", SettingBearings::fewer);
      case OTLP_ENDPOINT -> only("sends what `husk serve` does elsewhere");

      case STORE_BACKEND, REGISTRY_PATH, RUNTIME_DIR, HOME -> only("is for variables alone");
    };
  }

  private static Bearing<String, String> bearing(
      String opens, BiPredicate<String, String> narrower) {
    return new Bearing<>(
        opens,
        (theirs, yours) ->
            theirs.strip().equals(yours.strip()) || narrower.test(theirs.strip(), yours.strip())
                ? List.of()
                : List.of(theirs));
  }

  /// Any other than the user's is wider.
  private static Bearing<String, String> only(String opens) {
    return bearing(opens, (_, _) -> false);
  }

  /// Some values are never wider.
  private static Bearing<String, String> narrow(String opens, Predicate<String> harmless) {
    return bearing(opens, (theirs, _) -> harmless.test(theirs));
  }

  private static boolean stricter(String theirs, String yours) {
    return rank(theirs) >= rank(yours.isEmpty() ? Profile.MODERATE.wireName() : yours);
  }

  /// The stricter the higher; what is no profile is no restriction.
  private static int rank(String profile) {
    return Arrays.stream(Profile.values())
        .filter(known -> known.wireName().equals(profile))
        .map(Profile::ordinal)
        .findFirst()
        .orElse(-1);
  }

  /// Compared as they take effect: what is less than a millisecond is no time at all.
  private static boolean sooner(String theirs, String yours, boolean noneIsAll) {
    return !isNumber(theirs)
        || atMost(
            Math.round(Double.parseDouble(theirs) * 1000),
            Math.round(limit(yours) * 1000),
            noneIsAll);
  }

  private static boolean less(String theirs, String yours, boolean noneIsAll) {
    return !isNumber(theirs)
        || atMost((long) Double.parseDouble(theirs), (long) limit(yours), noneIsAll);
  }

  /// Zero, or less, is either the least there is or no limit.
  private static boolean atMost(long theirs, long yours, boolean noneIsAll) {
    if (noneIsAll && yours <= 0) {
      return true;
    }
    return theirs <= yours && (theirs > 0 || !noneIsAll);
  }

  /// What is no number is refused for that, and not for being too large.
  private static boolean isNumber(String text) {
    try {
      Double.parseDouble(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static double limit(String yours) {
    return isNumber(yours) ? Double.parseDouble(yours) : 0;
  }

  private static boolean isSaid(String text, Set<String> words) {
    return !text.isEmpty() && words.contains(text.toLowerCase(Locale.ROOT));
  }

  private static boolean yes(String text) {
    return YES.contains(text.toLowerCase(Locale.ROOT));
  }

  private static boolean no(String text) {
    return NO.contains(text.toLowerCase(Locale.ROOT));
  }

  private static boolean fewer(String theirs, String yours) {
    return words(yours).containsAll(words(theirs));
  }

  private static Set<String> words(String text) {
    return Arrays.stream(text.split(","))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toSet());
  }
}
