/// No walls: commands run as the daemon's user, with everything that user may do.
///
/// Owns: the `host` backend. Called by: those who name it. Never: chosen by default. Start reading
/// at [Host].
@NullMarked
package husk.backends.host;

import org.jspecify.annotations.NullMarked;
