/// The ways of making sandboxes on this machine, and what they share.
///
/// Owns: starting the guest agent, directly ([husk.backends.host]) or behind walls
/// ([husk.backends.bubblewrap]), the limits that the host's kernel holds, and ending what was
/// started. Called by: nobody by name; `ServiceLoader` finds the backends. Never: knows names, the
/// registry or policy. Start reading at [husk.backends.bubblewrap.Bubblewrap].
@NullMarked
package husk.backends;

import org.jspecify.annotations.NullMarked;
