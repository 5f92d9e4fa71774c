/// The Java library: persistent kernels from a Java program, through the user's daemon or without
/// one.
///
/// Owns: what a Java program calls, and the promise that both ways behave the same. Called by: Java
/// programs. Calls: `local` to reach the daemon, or `core` to be what the daemon is. Never: holds a
/// rule about kernels; those are in `core`, where every caller gets them. Start reading at [Husk],
/// then [BaseHusk].
@NullMarked
package husk;

import org.jspecify.annotations.NullMarked;
