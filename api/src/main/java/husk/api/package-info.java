/// The daemon's face: HTTP over a Unix socket, with answers as JSON or as text for people.
///
/// Owns: routes, bodies, status codes, the frames of a streamed execution. Called by: `app`. Calls:
/// [husk.core.Core] for everything that matters. Never: holds a rule; a rule that stood here would
/// be missing in the Java library. Start reading at [Server], then [ExecuteEndpoint].
@NullMarked
package husk.api;

import org.jspecify.annotations.NullMarked;
