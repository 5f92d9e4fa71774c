/// A gateway with kernels behind it, and a client for one kernel: the way of ipybox's kernel
/// manager.
///
/// Owns: starting and ending a private gateway, and running code in one kernel over Jupyter's HTTP
/// and WebSocket. Called by: Java programs. Calls: Jupyter's API, of Husk or of a stock Jupyter
/// Kernel Gateway; the daemon's own socket to open and to close a gateway. Never: knows how kernels
/// are made, or waits by the clock for output; a cell has ended when its reply and its `idle` are
/// both here. Start reading at [KernelClient], then `KernelLine`.
@NullMarked
package husk.gateway;

import org.jspecify.annotations.NullMarked;
