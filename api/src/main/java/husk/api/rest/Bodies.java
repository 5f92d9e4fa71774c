package husk.api.rest;

import husk.api.Callers;
import husk.api.ClientBody;
import husk.api.form.Limits;
import husk.core.Caller;
import husk.model.ExecuteRequest;
import husk.model.Ids;
import husk.model.KernelOptions;
import husk.model.KernelPlace;
import husk.model.Language;
import husk.model.Problem;
import husk.model.Rollback;
import io.helidon.webserver.http.ServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The bodies of requests, read; [Forms] says what may stand in them.
final class Bodies {
  private Bodies() {}

  /// For whom a request is: its body may say it, or else whoever serves.
  static Caller caller(ServerRequest request, Optional<ClientBody> client) {
    return client.map(ClientBody::caller).or(() -> Callers.preset(request)).orElse(Caller.UNKNOWN);
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
      Optional<String> kernelspec,
      Optional<String> startupCode,
      Optional<Duration> idleTimeout,
      Optional<String> backend,
      Optional<String> sandbox,
      Optional<String> profile,
      Optional<Boolean> liveState,
      Map<String, Long> limits,
      Optional<Long> memoryMb,
      Optional<Double> vcpus,
      Optional<ClientBody> client) {
    KernelOptions options() {
      return new KernelOptions(
          sessionName,
          tags,
          cwd,
          env,
          python,
          kernel.or(() -> kernelspec),
          startupCode,
          idleTimeout,
          new KernelPlace(
              backend, sandbox, profile, liveState, Limits.of(limits, memoryMb, vcpus)));
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
      Optional<String> rollback,
      boolean preview,
      boolean cancelOnDisconnect,
      Optional<Integer> maxAttempts,
      List<String> replacementCodes,
      List<String> onErrorCode,
      Optional<KernelBody> options,
      Optional<ClientBody> client) {
    ExecuteRequest request() {
      return new ExecuteRequest(
          executionId.orElseGet(Ids::fresh),
          code,
          Language.of(language.orElse("python")),
          timeout,
          outputLimit,
          oneShot,
          false,
          attempt,
          rollback.map(Rollback::of).orElse(Rollback.NEVER),
          preview);
    }

    KernelOptions kernelOptions() {
      return options.map(KernelBody::options).orElse(KernelOptions.NONE);
    }

    /// What runs after the first failure, the second, and so on.
    List<String> repairs() {
      if (!replacementCodes.isEmpty() && !onErrorCode.isEmpty()) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST,
            "both `replacement_codes` and `on_error_code` say what to run after a failure",
            "send one of them");
      }
      return replacementCodes.isEmpty() ? onErrorCode : replacementCodes;
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
