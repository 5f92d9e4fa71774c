/// The one way out of a sandbox: an HTTP and SOCKS5 proxy on the host, and the rules it enforces.
///
/// Owns: what a rule means, which addresses are nobody's business, and every byte that leaves a
/// sandbox. Called by: whoever makes sandboxes. Calls: the network. Never: knows what a sandbox is,
/// reads a file, looks into what is encrypted, or trusts a byte that comes from inside.
///
/// Start reading at [EgressProxy], then [Gate]: every request passes through it, whatever protocol
/// it came by.
@NullMarked
package husk.proxy;

import org.jspecify.annotations.NullMarked;
