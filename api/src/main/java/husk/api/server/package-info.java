/// Puts the dialects together and serves them, on the daemon's own socket and over TCP.
///
/// Owns: which endpoint is served where. Called by: `app`. Never: answers anything itself. Start
/// reading at [Server], then [Dialects].
@NullMarked
package husk.api.server;

import org.jspecify.annotations.NullMarked;
