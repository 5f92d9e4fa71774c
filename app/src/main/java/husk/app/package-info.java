/// The daemon's `main`: puts the parts together and knows when to stop.
///
/// Owns: the wiring, the lock that keeps a second daemon out, the daemon's own lifetime. Called by:
/// the launcher. Calls: everything. Never: does anything itself that a library user would want too.
/// Start reading at [DaemonMain].
@NullMarked
package husk.app;

import org.jspecify.annotations.NullMarked;
