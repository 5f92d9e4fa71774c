/// `/sandboxes`, for Husk's own clients on this machine.
///
/// Owns: the routes, how a sandbox is shown, what a request may say. Called by: `server.Dialects`.
/// Never: decides anything; `husk.sandboxes` does. Start reading at [SandboxesEndpoint].
@NullMarked
package husk.api.sandboxes;

import org.jspecify.annotations.NullMarked;
