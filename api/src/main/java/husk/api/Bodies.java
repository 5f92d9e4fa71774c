package husk.api;

import husk.core.Caller;
import husk.model.ExecuteRequest;
import husk.model.Ids;
import husk.model.KernelOptions;
import husk.model.Language;
import husk.model.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The bodies of requests.
final class Bodies {
  private Bodies() {}

  record ClientBody(
      Optional<String> cwd, Map<String, String> environment, Map<String, String> variables) {
    Caller caller() {
      return new Caller(cwd, environment, variables);
    }
  }

  /// Any body, of which only the caller matters.
  record AnyBody(Optional<ClientBody> client) {
    Caller caller() {
      return client.map(ClientBody::caller).orElse(Caller.UNKNOWN);
    }
  }

  record KernelBody(
      Optional<String> name,
      Optional<String> sessionName,
      Map<String, String> tags,
      Optional<String> cwd,
      Map<String, String> env,
      Optional<String> python,
      Optional<String> kernel,
      Optional<String> startupCode,
      Optional<Duration> idleTimeout,
      Optional<ClientBody> client) {
    KernelOptions options() {
      return new KernelOptions(
          sessionName, tags, cwd, env, python, kernel, startupCode, idleTimeout);
    }

    Caller caller() {
      return client.map(ClientBody::caller).orElse(Caller.UNKNOWN);
    }
  }

  record ExecuteBody(
      String code,
      Optional<String> language,
      Optional<Duration> timeout,
      Optional<Integer> outputLimit,
      boolean oneShot,
      Optional<String> executionId,
      boolean create,
      boolean attempt,
      Optional<KernelBody> options,
      Optional<ClientBody> client) {
    ExecuteRequest request() {
      var id = executionId.orElseGet(Ids::fresh);
      if (!Ids.wellFormed(id)) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST,
            "`" + id + "` cannot be an execution's id",
            "use 32 hexadecimal digits in lower case, or leave it out");
      }
      timeout.filter(Duration::isNegative).ifPresent(ExecuteBody::refuse);
      return new ExecuteRequest(
          id,
          code,
          Language.of(language.orElse("python")),
          timeout,
          outputLimit,
          oneShot,
          false,
          attempt);
    }

    private static void refuse(Duration timeout) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "the timeout is " + timeout.toMillis() / 1000.0 + " s, but must be 0 or more",
          "0 means no limit");
    }

    Optional<KernelOptions> creation() {
      return create
          ? Optional.of(options.map(KernelBody::options).orElse(KernelOptions.NONE))
          : Optional.empty();
    }

    Caller caller() {
      return client.map(ClientBody::caller).orElse(Caller.UNKNOWN);
    }
  }

  record EnvironmentBody(
      Optional<String> name,
      Optional<String> from,
      Optional<String> python,
      List<String> requirements,
      List<String> preload,
      Optional<ClientBody> client) {
    Caller caller() {
      return client.map(ClientBody::caller).orElseGet(Caller::self);
    }
  }

  record StopBody(boolean kernels) {}
}
