package husk.model;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the registry knows of a kernel.
///
/// @param kernelId 32 hexadecimal digits
/// @param connectionFile Jupyter's connection file, readable by its owner alone
/// @param name the name it was created under, unique among kernels
/// @param createdAt when it was first started
/// @param lastUsedAt when it last began or ended an execution
/// @param status what it is doing
/// @param sessionName a second name to find it by
/// @param attemptCount how many attempts retrying executions have made on it
/// @param tags the caller's own labels
/// @param process its process, when one was started
/// @param backend how it is isolated
/// @param kernel `husk` for Husk's own Python kernel, otherwise the name of a kernelspec
/// @param python the interpreter, when it is a Python kernel
/// @param cwd the directory it was started in
/// @param environment the names of its environment variables, never their values
/// @param memory resident bytes, when known
/// @param idleTimeout how long it may idle before it is reaped; zero means for ever
/// @param startupError how its startup code failed, if it did
/// @param death why its process ended, once it has
public record KernelRecord(
    String kernelId,
    Path connectionFile,
    Optional<String> name,
    Instant createdAt,
    Instant lastUsedAt,
    KernelStatus status,
    Optional<String> sessionName,
    int attemptCount,
    Map<String, String> tags,
    Optional<KernelProcess> process,
    String backend,
    String kernel,
    Optional<String> python,
    Path cwd,
    List<String> environment,
    Optional<Long> memory,
    Duration idleTimeout,
    Optional<String> startupError,
    Optional<Death> death) {

  public KernelRecord {
    tags = Map.copyOf(tags);
    environment = List.copyOf(environment);
  }

  public KernelRecord withStatus(KernelStatus changed) {
    return with(changed, lastUsedAt, process, memory, startupError, death);
  }

  public KernelRecord withMemory(Optional<Long> bytes) {
    return with(status, lastUsedAt, process, bytes, startupError, death);
  }

  public KernelRecord withTags(Map<String, String> changed) {
    return new KernelRecord(
        kernelId,
        connectionFile,
        name,
        createdAt,
        lastUsedAt,
        status,
        sessionName,
        attemptCount,
        changed,
        process,
        backend,
        kernel,
        python,
        cwd,
        environment,
        memory,
        idleTimeout,
        startupError,
        death);
  }

  /// Being started by `claimant`, which holds the place of the kernel's process until there is one.
  public KernelRecord startingBy(KernelProcess claimant) {
    return with(
        KernelStatus.STARTING,
        lastUsedAt,
        Optional.of(claimant),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /// Started, with how its startup code failed, if it did.
  public KernelRecord started(KernelProcess started, Optional<String> failure, Instant at) {
    return with(KernelStatus.IDLE, at, Optional.of(started), memory, failure, Optional.empty());
  }

  public KernelRecord died(Death cause) {
    return with(
        KernelStatus.DEAD, lastUsedAt, process, Optional.empty(), startupError, Optional.of(cause));
  }

  /// Could not be started; there is no process of it.
  public KernelRecord startFailed(Death cause) {
    return with(
        KernelStatus.DEAD,
        lastUsedAt,
        Optional.empty(),
        Optional.empty(),
        startupError,
        Optional.of(cause));
  }

  private KernelRecord with(
      KernelStatus changedStatus,
      Instant changedLastUsedAt,
      Optional<KernelProcess> changedProcess,
      Optional<Long> changedMemory,
      Optional<String> changedStartupError,
      Optional<Death> changedDeath) {
    return new KernelRecord(
        kernelId,
        connectionFile,
        name,
        createdAt,
        changedLastUsedAt,
        changedStatus,
        sessionName,
        attemptCount,
        tags,
        changedProcess,
        backend,
        kernel,
        python,
        cwd,
        environment,
        changedMemory,
        idleTimeout,
        changedStartupError,
        changedDeath);
  }

  /// Whether `identifier` is its id, its name or its session name.
  public boolean answersTo(String identifier) {
    return kernelId.equals(identifier)
        || name.filter(identifier::equals).isPresent()
        || sessionName.filter(identifier::equals).isPresent();
  }
}
