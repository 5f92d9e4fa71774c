/// Serving over TCP: who may come in, how many at once, over TLS or not, and what is noted of it.
///
/// Owns: listeners and everything a request passes before it reaches an endpoint. Called by:
/// [husk.api.server.Server]. Never: answers a request itself, except by turning it away. Start
/// reading at [Listeners], then [Passage].
@NullMarked
package husk.api.listen;

import org.jspecify.annotations.NullMarked;
