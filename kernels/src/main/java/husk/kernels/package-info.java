/// Starts kernels' processes, watches them, and talks the Jupyter protocol to them.
///
/// Owns: the warm parents, connection files, kernelspecs, the channels of a kernel and the rule
/// that waiting is done by the protocol, never by the clock. Called by: `core`. Calls: `wire` for
/// bytes. Never: knows names, decides what may run, or writes to the registry. Start reading at
/// [KernelClient] and [WarmParent].
@NullMarked
package husk.kernels;

import org.jspecify.annotations.NullMarked;
