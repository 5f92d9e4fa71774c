/// `/sandboxes`: sandboxes, their commands, files, ports and events, for every client.
///
/// Owns: the routes, how things are shown, what a request may say, and the lines by which further
/// requests reach the input of what an earlier one streams. Called by: `server.Dialects`. Never:
/// decides anything; `husk.sandboxes` does. Start reading at [SandboxDialect], then [ExecEndpoint].
@NullMarked
package husk.api.sandboxes;

import org.jspecify.annotations.NullMarked;
