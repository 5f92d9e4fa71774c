/// Attacks from inside a running sandbox, by what they aim at.
///
/// Owns: the proof that walls hold. Each attack runs in every [Place], and, where it would work
/// without walls, also on the host, where it must succeed: otherwise its failure behind walls would
/// prove nothing. Start reading at [Attack], then [FileAttacksTest].
@NullMarked
package husk.backends.isolation;

import org.jspecify.annotations.NullMarked;
