/// Signals that are passed on instead of ending this process.
///
/// Owns: the only use of `sun.misc.Signal`, which is why it is compiled apart. Called by: the
/// commands that run something in a sandbox. Never: knows what it is that gets them. Start reading
/// at [Signals].
@NullMarked
package husk.cli.signal;

import org.jspecify.annotations.NullMarked;
