/// The rules: names, lifecycles, queues, timeouts, recovery, retry.
///
/// Owns: what a name means, who may start a kernel, in which order executions run, when one is
/// interrupted and when its kernel is killed, what is remembered of it, and what a project's file
/// or a caller from elsewhere may ask for. Called by: `api`, which has a [Service], and the Java
/// library. Calls: `kernels` for processes and protocol, `store` for the registry. Never: knows
/// HTTP or the command line. Start reading at [Core], then [Executor].
@NullMarked
package husk.core;

import org.jspecify.annotations.NullMarked;
