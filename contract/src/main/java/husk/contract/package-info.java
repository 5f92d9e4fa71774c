/// What every sandbox must do, as tests that each backend and each wrapper inherits.
///
/// Owns: the behaviour that [husk.spi] promises. Called by: the test classes of backends and of
/// whatever passes sandboxes on. Never: knows a backend. Start reading at [SandboxContract].
@NullMarked
package husk.contract;

import org.jspecify.annotations.NullMarked;
