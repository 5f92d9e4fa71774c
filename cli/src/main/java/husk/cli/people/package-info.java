/// What commands that speak JSON say to a person instead.
///
/// Owns: one [View] for each kind of answer. The commands name theirs; nothing here prints, asks
/// the daemon or knows whether a terminal is there. Start at [View].
@NullMarked
package husk.cli.people;

import org.jspecify.annotations.NullMarked;
