/// What a user has allowed projects' files to open.
///
/// Owns: how such a file is read once and for all, and the memory of which contents were trusted,
/// where. Called by: `core`. Never: knows what the keys of a file mean. Start reading at
/// [TrustStore].
@NullMarked
package husk.core.trust;

import org.jspecify.annotations.NullMarked;
