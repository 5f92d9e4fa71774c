/// Connections, on the daemon's own socket and over TCP: how many there may be, how long each may
/// keep others waiting, and how much of what comes in is held in memory.
///
/// Owns: accepting, the deadlines of heads and bodies, the budget of bytes. Called by:
/// [husk.api.server.Server] and [husk.api.listen], and by whoever reads a body. Never: knows a
/// route, or who calls; what HTTP means is Helidon's part. Start reading at [Door], then [Visit].
@NullMarked
package husk.api.accept;

import org.jspecify.annotations.NullMarked;
