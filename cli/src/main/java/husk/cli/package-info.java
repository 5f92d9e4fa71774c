/// The `husk` command.
///
/// Owns: the command line (one class per command, one table), exit codes, and what is printed
/// where. Called by: the launcher script. Calls: `husk.local` to reach the daemon. Never: does what
/// a command asks for itself, reads JSON as a whole, or loads anything beyond `java.base`, because
/// its start-up time is the first thing a user feels; so no lambdas, streams or formatting on the
/// way of an ordinary command. Start reading at [Main] and [Commands].
@NullMarked
package husk.cli;

import org.jspecify.annotations.NullMarked;
