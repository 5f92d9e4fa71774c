package husk.core;

import java.time.Duration;
import java.util.Optional;

/// The settings in force for one call.
///
/// @param maxRetries attempts of a retrying execution
/// @param executionTimeout how long a cell may run; zero for ever
/// @param kernelIdleTimeout how long a kernel may idle; zero for ever
/// @param outputCharLimit characters kept per field; zero for all
/// @param startupCode run after every start of a kernel
/// @param kernelType `husk`, or the name of a kernelspec
/// @param python an environment's name, a virtual environment's folder or an interpreter
/// @param interruptGrace how long an interrupted cell may take to stop before its kernel is killed
/// @param daemonIdleTimeout how long the daemon stays when nothing is alive
/// @param maxKernels how many kernels may live at once
/// @param backend where kernels live: `bubblewrap`, or `host` for no sandbox
/// @param profile what their sandboxes may do
/// @param liveState whether kernels can be copied, where it was said
/// @param sandboxConfig a file with rules for them
/// @param checkpointMemory bytes that the checkpoints of a kernel may hold; zero for any number
public record Settings(
    int maxRetries,
    Duration executionTimeout,
    Duration kernelIdleTimeout,
    int outputCharLimit,
    Optional<String> startupCode,
    String kernelType,
    Optional<String> python,
    Duration interruptGrace,
    Duration daemonIdleTimeout,
    int maxKernels,
    String backend,
    Optional<String> profile,
    Optional<Boolean> liveState,
    Optional<String> sandboxConfig,
    long checkpointMemory) {}
