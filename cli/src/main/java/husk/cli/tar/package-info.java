/// Tar streams: folders that travel between the host and a sandbox.
///
/// Owns: reading and writing archives piece by piece, and laying one out on the host so that
/// nothing in it can reach outside the folder it was meant for. Called by: the commands that copy,
/// export and import. Never: trusts an archive (it may come from a hostile sandbox), keeps more
/// than one piece in memory, or follows a symbolic link. Start reading at [Extraction].
@NullMarked
package husk.cli.tar;

import org.jspecify.annotations.NullMarked;
