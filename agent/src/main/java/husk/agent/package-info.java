/// The host's side of the guest agent's protocol (`docs/agent-protocol.md`).
///
/// Owns: frames, fields, and one line per operation over the agent's Unix socket. Called by: the
/// backends whose sandboxes start with the agent, and the thin client, which talks to it directly.
/// Never: trusts what the agent says (it may be under the control of whoever was let in), keeps
/// more than one frame in memory, or loads a library. Start reading at [Agent].
@NullMarked
package husk.agent;

import org.jspecify.annotations.NullMarked;
