/// KernelBox's REST API and Husk's own: kernels, sessions, executions, and the daemon itself.
///
/// Owns: these routes, what their bodies hold ([Forms], [Bodies]) and how executions are answered.
/// Called by: `husk.api.server`. Calls: [husk.core.Core] for everything that matters. Never: holds
/// a rule; a rule that stood here would be missing in the Java library. Start reading at
/// [ExecuteEndpoint].
@NullMarked
package husk.api.rest;

import org.jspecify.annotations.NullMarked;
