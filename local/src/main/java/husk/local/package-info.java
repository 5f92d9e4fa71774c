/// Finds, starts and talks to the daemon of this user.
///
/// Owns: where files and sockets live, the lock that lets one caller start the daemon, and the
/// bytes on the Unix socket. Called by: the command-line client, the Java library and, for
/// [Locations] and [Frames], the daemon itself. Calls: `husk.model` alone; nothing but `java.base`,
/// because every `husk` command loads this package. Never: knows what a command means, parses JSON
/// as a whole. Start reading at [DaemonDoor#connectOrStart].
@NullMarked
package husk.local;

import org.jspecify.annotations.NullMarked;
