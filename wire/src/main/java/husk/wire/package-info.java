/// The Jupyter protocol as values: messages, their signatures, connection files, and JSON.
///
/// Owns: what a message looks like on the wire, and how Husk's records look as JSON. Called by:
/// everything that speaks to a kernel or to a caller. Calls: Jackson. Never: opens a file, starts a
/// thread or knows which kernel it talks to. Start reading at [MessageCodec] and [Json].
@NullMarked
package husk.wire;

import org.jspecify.annotations.NullMarked;
