/// What a sandbox is: its specification, its commands and files, its events, and the [Backend] that
/// makes it.
///
/// Owns: the interfaces every backend implements, and the records that cross them. Called by:
/// `sandboxes`, which manages them by name, and by the backends that implement it. Never: starts
/// anything, knows a backend, or loads a library; the thin client uses it too. Start reading at
/// [Sandbox], then [SandboxSpec].
@NullMarked
package husk.spi;

import org.jspecify.annotations.NullMarked;
