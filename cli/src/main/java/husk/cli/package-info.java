/// The `husk` command.
///
/// Owns: the command line (one class per command, one table), exit codes, and what is printed
/// where. Called by: the launcher script. Calls: `husk.local` to reach the daemon, `husk.agent` to
/// reach what is inside a sandbox. Never: does what a command asks for itself, reads JSON as a
/// whole, or loads a library, because its start-up time is the first thing a user feels; so no
/// lambdas, streams or formatting on the way of an ordinary command. Start reading at [Main] and
/// [Commands]; for commands in sandboxes at [RunCommand] and [CommandCall].
@NullMarked
package husk.cli;

import org.jspecify.annotations.NullMarked;
