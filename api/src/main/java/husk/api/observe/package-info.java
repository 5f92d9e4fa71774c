/// What can be seen of the server from outside: metrics and traces.
///
/// Owns: the metrics and how they are printed, spans and where they are sent. Called by: every
/// request. Never: decides anything. Start reading at [Metrics].
@NullMarked
package husk.api.observe;

import org.jspecify.annotations.NullMarked;
