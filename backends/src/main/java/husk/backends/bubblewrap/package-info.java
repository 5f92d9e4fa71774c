/// Walls built by bubblewrap: namespaces, a minimal file system, no capabilities, a system call
/// filter, limits.
///
/// Owns: the one place where a specification becomes bubblewrap's arguments ([Walls]). Called by:
/// `sandboxes`, through the service [husk.spi.Backend]. Never: starts a sandbox it cannot wall in
/// as asked. Start reading at [Bubblewrap].
@NullMarked
package husk.backends.bubblewrap;

import org.jspecify.annotations.NullMarked;
