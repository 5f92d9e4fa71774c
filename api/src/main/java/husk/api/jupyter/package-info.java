/// Jupyter's own dialect: its REST routes, and the WebSocket over which its clients talk to a
/// kernel.
///
/// Owns: routes below `/api`, the two sub-protocols, and what a client that was away has missed.
/// Called by: the server. Calls: [husk.core.Core] for kernels, [husk.kernels.KernelLine] for a
/// client's own line to one, [husk.api.spool.Spool] for what waits. Never: looks into the content
/// of a message it passes on, or drops one without saying so. Start reading at [JupyterEndpoint]
/// for REST and at [ChannelsListener], then [ClientSession], for WebSockets.
@NullMarked
package husk.api.jupyter;

import org.jspecify.annotations.NullMarked;
