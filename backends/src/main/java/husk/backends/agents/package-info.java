/// What the backends that start the guest agent share: launching it, limits, processes.
///
/// Owns: [AgentSandbox], a sandbox whose first process is the agent. Called by: the backends beside
/// it. Never: decides what a sandbox may do. Start reading at [Launcher].
@NullMarked
package husk.backends.agents;

import org.jspecify.annotations.NullMarked;
