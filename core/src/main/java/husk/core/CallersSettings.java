package husk.core;

import husk.model.Problem;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Which settings callers over TCP may choose for themselves: the one table, which does not compile
/// without an answer for each. They travel in `client.variables`, over whoever serves.
final class CallersSettings {
  private CallersSettings() {}

  /// Those of how long and how much of the caller's own code runs; what decides about walls, about
  /// interpreters and about the server itself is not the caller's.
  static boolean mayChoose(SettingKey key) {
    return switch (key) {
      case MAX_RETRIES,
          EXECUTION_TIMEOUT,
          KERNEL_IDLE_TIMEOUT,
          OUTPUT_CHAR_LIMIT,
          STARTUP_CODE,
          KERNEL_TYPE,
          INTERRUPT_GRACE ->
          true;
      case STORE_BACKEND,
          REGISTRY_PATH,
          RUNTIME_DIR,
          HOME,
          PYTHON,
          DAEMON_IDLE_TIMEOUT,
          MAX_KERNELS,
          BACKEND,
          PROFILE,
          LIVE_STATE,
          SANDBOX_CONFIG,
          SANDBOX_POOL,
          SANDBOX_POOL_AGE,
          KERNEL_POOL,
          KERNEL_POOL_AGE,
          CHECKPOINT_MEMORY,
          HOST,
          PORT,
          API_KEY,
          API_KEY_FILE,
          TLS,
          TLS_CERT,
          TLS_KEY,
          ALLOW_ORIGIN,
          ALLOW_HOST_BACKEND,
          ALLOW_MOUNT,
          ALLOW_PROFILE,
          ALLOW_PYTHON,
          ALLOW_PRIVATE_NETWORK,
          ALLOW_PUBLISH,
          MAX_REQUESTS,
          OTLP_ENDPOINT ->
          false;
    };
  }

  /// The server's own circumstances, with what the caller chose.
  static Caller over(Caller server, Caller given) {
    given.cwd().ifPresent(_ -> refuse("client.cwd"));
    given.environment().keySet().stream()
        .sorted()
        .findFirst()
        .ifPresent(name -> refuse("client.environment." + name));
    var variables = new HashMap<>(server.variables());
    given.variables().keySet().stream().sorted().forEach(name -> replace(variables, name, given));
    return new Caller(server.cwd(), server.environment(), variables);
  }

  /// A setting counts under any of its names; the server's own must not win by another.
  private static void replace(Map<String, String> variables, String name, Caller given) {
    var key =
        Arrays.stream(SettingKey.values())
            .filter(known -> known.variables().contains(name) && mayChoose(known))
            .findFirst();
    if (key.isEmpty()) {
      refuse("client.variables." + name);
    }
    key.ifPresent(
        chosen ->
            chosen.variables().stream()
                .filter(other -> !given.variables().containsKey(other))
                .forEach(variables::remove));
    variables.put(name, given.variables().getOrDefault(name, ""));
  }

  private static void refuse(String field) {
    throw new Problem(
        Problem.Code.NOT_OPEN_OVER_TCP,
        "`" + field + "` is not open to callers over TCP: it is for whoever serves to say",
        "leave it out; `husk serve` has it from the process it is called in");
  }
}
