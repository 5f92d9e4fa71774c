package husk.core;

import husk.core.trust.Widening;
import husk.model.Problem;
import husk.sandboxes.PoolSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Every setting's value together with where it came from.
public final class ResolvedSettings {

  /// A value and where it came from.
  ///
  /// @param value as it was written
  /// @param source `default`, a file, or the name of a variable
  public record Sourced(String value, String source) {}

  private final Map<SettingKey, Sourced> values = new EnumMap<>(SettingKey.class);
  private Optional<Problem> refusal = Optional.empty();
  private List<Widening> untrusted = List.of();

  ResolvedSettings() {
    for (var key : SettingKey.values()) {
      values.put(key, new Sourced(key.fallback(), "default"));
    }
  }

  void put(SettingKey key, String value, String source) {
    values.put(key, new Sourced(value, source));
  }

  /// Nothing of the project's file counts, and nothing is done, until its user has decided.
  void refuse(Problem why, List<Widening> wider) {
    refusal = Optional.of(why);
    untrusted = List.copyOf(wider);
  }

  /// The values as they are without a project's file that is not trusted.
  public Map<SettingKey, Sourced> all() {
    return Map.copyOf(values);
  }

  /// What such a file would open.
  public List<Widening> untrusted() {
    return untrusted;
  }

  private void requireTrust() {
    refusal.ifPresent(
        why -> {
          throw why;
        });
  }

  /// The values, each checked.
  public Settings settings() {
    requireTrust();
    return new Settings(
        atLeast(1, SettingKey.MAX_RETRIES),
        seconds(SettingKey.EXECUTION_TIMEOUT),
        seconds(SettingKey.KERNEL_IDLE_TIMEOUT),
        Math.max(0, number(SettingKey.OUTPUT_CHAR_LIMIT).intValue()),
        text(SettingKey.STARTUP_CODE),
        text(SettingKey.KERNEL_TYPE).orElse("husk"),
        text(SettingKey.PYTHON),
        seconds(SettingKey.INTERRUPT_GRACE),
        seconds(SettingKey.DAEMON_IDLE_TIMEOUT),
        unlimitedIfZero(SettingKey.MAX_KERNELS),
        text(SettingKey.BACKEND).orElse("bubblewrap"),
        text(SettingKey.PROFILE),
        text(SettingKey.LIVE_STATE).map(_ -> flag(SettingKey.LIVE_STATE)),
        text(SettingKey.SANDBOX_CONFIG),
        (long) atLeast(0, SettingKey.CHECKPOINT_MEMORY) << 20);
  }

  /// The values that are about ready sandboxes, each checked.
  PoolSettings pool() {
    requireTrust();
    return new PoolSettings(
        atLeast(0, SettingKey.SANDBOX_POOL), seconds(SettingKey.SANDBOX_POOL_AGE));
  }

  /// The values that are about ready kernels, each checked.
  PoolSettings kernelPool() {
    requireTrust();
    return new PoolSettings(
        atLeast(0, SettingKey.KERNEL_POOL), seconds(SettingKey.KERNEL_POOL_AGE));
  }

  /// The values that are about serving over TCP, each checked.
  public ServeSettings serving() {
    requireTrust();
    return new ServeSettings(
        text(SettingKey.HOST).orElse("127.0.0.1"),
        port(),
        words(SettingKey.API_KEY),
        text(SettingKey.API_KEY_FILE),
        flag(SettingKey.TLS),
        text(SettingKey.TLS_CERT),
        text(SettingKey.TLS_KEY),
        words(SettingKey.ALLOW_ORIGIN),
        flag(SettingKey.ALLOW_HOST_BACKEND),
        words(SettingKey.ALLOW_MOUNT),
        words(SettingKey.ALLOW_PROFILE),
        flag(SettingKey.ALLOW_PYTHON),
        flag(SettingKey.ALLOW_PRIVATE_NETWORK),
        flag(SettingKey.ALLOW_PUBLISH),
        atLeast(1, SettingKey.MAX_REQUESTS),
        text(SettingKey.OTLP_ENDPOINT));
  }

  private int port() {
    int port = atLeast(0, SettingKey.PORT);
    if (port > 65_535) {
      throw invalid(SettingKey.PORT, "a port: 0 to 65535");
    }
    return port;
  }

  private int unlimitedIfZero(SettingKey key) {
    int value = atLeast(0, key);
    return value == 0 ? Integer.MAX_VALUE : value;
  }

  private boolean flag(SettingKey key) {
    return switch (get(key).value().strip().toLowerCase(Locale.ROOT)) {
      case "on", "true", "1", "yes" -> true;
      case "off", "false", "0", "no", "" -> false;
      default -> throw invalid(key, "on or off");
    };
  }

  private List<String> words(SettingKey key) {
    return Arrays.stream(get(key).value().split(","))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  Sourced get(SettingKey key) {
    return values.getOrDefault(key, new Sourced(key.fallback(), "default"));
  }

  private Optional<String> text(SettingKey key) {
    return Optional.of(get(key).value()).filter(value -> !value.isBlank());
  }

  private int atLeast(int least, SettingKey key) {
    double value = number(key);
    if (value < least || value != Math.rint(value)) {
      throw invalid(key, "a whole number of at least " + least);
    }
    return (int) value;
  }

  private Duration seconds(SettingKey key) {
    double value = number(key);
    if (value < 0 || Double.isNaN(value) || value > 1e9) {
      throw invalid(key, "a number of seconds, 0 or more");
    }
    return Duration.ofMillis(Math.round(value * 1000));
  }

  private Double number(SettingKey key) {
    try {
      return Double.valueOf(get(key).value().strip());
    } catch (NumberFormatException e) {
      throw invalid(key, "a number");
    }
  }

  private Problem invalid(SettingKey key, String wanted) {
    var given = get(key);
    return new Problem(
        Problem.Code.INVALID_SETTING,
        "`"
            + key.fileName()
            + "` is `"
            + (key.secret() ? "…" : given.value())
            + "`, but must be "
            + wanted,
        "it was set by " + given.source());
  }
}
