/// The rules: names, lifecycles, queues, timeouts, recovery, retry.
///
/// Owns: what a name means, who may start a kernel, in which order executions run, when one is
/// interrupted and when its kernel is killed, and what is remembered of it. Called by: `api` and
/// the Java library. Calls: `kernels` for processes and protocol, `store` for the registry. Never:
/// knows HTTP, the command line, or how a caller reached it. Start reading at [Core], then
/// [Executor].
@NullMarked
package husk.core;

import org.jspecify.annotations.NullMarked;
